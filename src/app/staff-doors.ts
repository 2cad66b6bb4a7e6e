/** The use cases of signing in as the doors call them: each takes what its operation of the endpoint table has. */
import type { BodyOf, PathOf } from '../contract/endpoint.ts';
import type { EndpointOf } from '../contract/index.ts';
import type { App } from './app.ts';
import * as access from './staff-access.ts';
import * as devices from './staff-devices.ts';

type Actor = access.Actor;
type PairedDevice = access.PairedDevice;

/** POST /staff/sign-in. */
export const staffSignIn =
  (app: App) =>
  ({ body, caller }: { body: BodyOf<EndpointOf<'staffSignIn'>>; caller: { readonly client: string } }) =>
    access.signIn(app)({ ...body, client: caller.client });

/** POST /staff/sign-out. */
export const staffSignOut =
  (app: App) =>
  async ({ actor }: { actor: Actor }) => {
    await access.signOut(app)(actor);
    return { signed_out: true };
  };

/** POST /staff/devices. */
export const makePairingCode =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<EndpointOf<'makePairingCode'>>; actor: Actor }) =>
    devices.makePairingCode(app)(actor, { ...body, branch_id: body.branch_id.toLowerCase() });

/** POST /staff/devices/pair. */
export const pairDevice =
  (app: App) =>
  ({ body }: { body: BodyOf<EndpointOf<'pairDevice'>> }) =>
    devices.pairDevice(app)(body);

/** GET /staff/devices. */
export const listDevices =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    devices.listDevices(app)(actor);

/** POST /staff/devices/{id}/revoke. */
export const revokeDevice =
  (app: App) =>
  ({ path, actor }: { path: PathOf<EndpointOf<'revokeDevice'>>; actor: Actor }) =>
    devices.revokeDevice(app)(actor, path.id);

/** GET /staff/pin. */
export const listPinStaff =
  (app: App) =>
  ({ actor }: { actor: PairedDevice }) =>
    devices.listPinStaff(app)(actor);

/** POST /staff/pin. */
export const pinSignIn =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<EndpointOf<'pinSignIn'>>; actor: PairedDevice }) =>
    access.pinSignIn(app)(actor, body);
