/** The use cases of signing in as the doors call them: each takes what its operation of the endpoint table has. */
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import type * as devicesContract from '../contract/devices.ts';
import type * as signInContract from '../contract/sign-in.ts';
import type { App } from '../../platform/app/app.ts';
import * as access from './access.ts';
import * as devices from './devices.ts';
import type { PasswordTry } from './credentials.ts';
import * as entrance from './sign-in.ts';

type Actor = access.Actor;
type PairedDevice = access.PairedDevice;

interface Credentials<Id extends 'staffSignIn' | 'reauthenticate'> {
  readonly body: BodyOf<(typeof signInContract)[Id]>;
  readonly headers: HeadersOf<(typeof signInContract)[Id]>;
  readonly caller: { readonly client: string };
}

const triedBy = <Id extends 'staffSignIn' | 'reauthenticate'>({
  body,
  headers,
  caller,
}: Credentials<Id>): PasswordTry => ({
  ...body,
  client: caller.client,
  knownDevice: headers['x-known-device'],
});

/** POST /staff/sign-in. */
export const staffSignIn = (app: App) => (given: Credentials<'staffSignIn'>) =>
  entrance.signIn(app)(triedBy(given));

/** POST /staff/re-authenticate. */
export const reauthenticate =
  (app: App) => (given: Credentials<'reauthenticate'> & { readonly actor: Actor }) =>
    entrance.reauthenticate(app)(given.actor, triedBy(given));

/** POST /staff/sign-out. Boards of this sign-in end at once; those at another process with its next poll. */
export const staffSignOut =
  (app: App, streams: access.SessionStreams) =>
  async ({ actor }: { actor: Actor }) => {
    await access.signOut(app)(actor);
    streams.endOf(actor.session);
    return { signed_out: true };
  };

/** POST /staff/devices. */
export const makePairingCode =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof devicesContract.makePairingCode>; actor: Actor }) =>
    devices.makePairingCode(app)(actor, { ...body, branch_id: body.branch_id.toLowerCase() });

/** POST /staff/devices/pair. */
export const pairDevice =
  (app: App) =>
  ({ body }: { body: BodyOf<typeof devicesContract.pairDevice> }) =>
    devices.pairDevice(app)(body);

/** GET /staff/devices. */
export const listDevices =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    devices.listDevices(app)(actor);

/** POST /staff/devices/{id}/revoke. Boards on it end as above. */
export const revokeDevice =
  (app: App, streams: access.SessionStreams) =>
  async ({ path, actor }: { path: PathOf<typeof devicesContract.revokeDevice>; actor: Actor }) => {
    const device = await devices.revokeDevice(app)(actor, path.id);
    streams.endOn(device.id);
    return device;
  };

/** GET /staff/pin. */
export const listPinStaff =
  (app: App) =>
  ({ actor }: { actor: PairedDevice }) =>
    devices.listPinStaff(app)(actor);

interface PinCredentials {
  readonly body: BodyOf<typeof signInContract.pinSignIn>;
  readonly caller: { readonly client: string };
  readonly actor: PairedDevice;
}

/** POST /staff/pin. */
export const pinSignIn =
  (app: App) =>
  ({ body, actor, caller }: PinCredentials) =>
    entrance.pinSignIn(app)(actor, { ...body, client: caller.client });
