/** The use cases of second factors as the doors call them: each takes what its operation of the endpoint table has. */
import type { BodyOf, PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/second-factor.ts';
import type { App } from '../../platform/app/app.ts';
import * as factors from './second-factor.ts';
import type { Actor } from './access.ts';

/** POST /staff/me/second-factors/totp. */
export const beginTotp =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.beginTotp>; actor: Actor }) =>
    factors.beginTotp(app)(actor, body);

/** POST /staff/me/second-factors/totp/confirm. */
export const confirmTotp =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.confirmTotp>; actor: Actor }) =>
    factors.confirmOwnTotp(app)(actor, body);

/** POST /staff/me/second-factors/passkeys. */
export const beginPasskey =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.beginPasskey(app)(actor);

/** POST /staff/me/second-factors/passkeys/confirm. */
export const confirmPasskey =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.confirmPasskey>; actor: Actor }) =>
    factors.confirmOwnPasskey(app)(actor, body);

/** GET /staff/me/second-factors. */
export const listSecondFactors =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.listFactors(app)(actor);

/** POST /staff/me/second-factors/recovery-codes. */
export const makeRecoveryCodes =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.makeRecoveryCodes(app)(actor);

/** POST /staff/me/second-factors/{id}/remove. */
export const removeSecondFactor =
  (app: App) =>
  ({ path, actor }: { path: PathOf<typeof contract.removeSecondFactor>; actor: Actor }) =>
    factors.removeOwnFactor(app)(actor, path.id);
