import type { BodyOf, PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/second-factor.ts';
import type { App } from '../../platform/app/app.ts';
import * as factors from './second-factor.ts';
import type { Actor } from './access.ts';

export const beginTotp =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.beginTotp>; actor: Actor }) =>
    factors.beginTotp(app)(actor, body);

export const confirmTotp =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.confirmTotp>; actor: Actor }) =>
    factors.confirmOwnTotp(app)(actor, body);

export const beginPasskey =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.beginPasskey(app)(actor);

export const confirmPasskey =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof contract.confirmPasskey>; actor: Actor }) =>
    factors.confirmOwnPasskey(app)(actor, body);

export const listSecondFactors =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.listFactors(app)(actor);

export const makeRecoveryCodes =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    factors.makeRecoveryCodes(app)(actor);

export const removeSecondFactor =
  (app: App) =>
  ({ path, actor }: { path: PathOf<typeof contract.removeSecondFactor>; actor: Actor }) =>
    factors.removeOwnFactor(app)(actor, path.id);
