import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import type * as devicesContract from '../contract/devices.ts';
import type * as signInContract from '../contract/sign-in.ts';
import type { App } from '../../platform/app/app.ts';
import * as access from './access.ts';
import * as devices from './devices.ts';
import type { PasswordTry } from './credentials.ts';
import * as signIns from './sign-in.ts';

type Actor = access.Actor;
type PairedDevice = access.PairedDevice;

interface Credentials<Id extends 'staffSignIn' | 'reauthenticate'> {
  readonly body: BodyOf<(typeof signInContract)[Id]>;
  readonly headers: HeadersOf<(typeof signInContract)[Id]>;
  readonly caller: { readonly client: string };
}

const tryOf = <Id extends 'staffSignIn' | 'reauthenticate'>({
  body,
  headers,
  caller,
}: Credentials<Id>): PasswordTry => ({
  ...body,
  client: caller.client,
  knownDevice: headers['x-known-device'],
});

export const staffSignIn = (app: App) => (request: Credentials<'staffSignIn'>) =>
  signIns.signIn(app)(tryOf(request));

export const reauthenticate =
  (app: App) => (request: Credentials<'reauthenticate'> & { readonly actor: Actor }) =>
    signIns.reauthenticate(app)(request.actor, tryOf(request));

/** Ends the session's boards, in other processes with their next poll. */
export const staffSignOut =
  (app: App, streams: access.SessionStreams) =>
  async ({ actor }: { actor: Actor }) => {
    await access.signOut(app)(actor);
    streams.endStreamsOfSession(actor.session);
    return { signed_out: true };
  };

export const makePairingCode =
  (app: App) =>
  ({ body, actor }: { body: BodyOf<typeof devicesContract.makePairingCode>; actor: Actor }) =>
    devices.makePairingCode(app)(actor, { ...body, branch_id: body.branch_id.toLowerCase() });

export const pairDevice =
  (app: App) =>
  ({ body }: { body: BodyOf<typeof devicesContract.pairDevice> }) =>
    devices.pairDevice(app)(body);

export const listDevices =
  (app: App) =>
  ({ actor }: { actor: Actor }) =>
    devices.listDevices(app)(actor);

/** Ends the device's boards. */
export const revokeDevice =
  (app: App, streams: access.SessionStreams) =>
  async ({ path, actor }: { path: PathOf<typeof devicesContract.revokeDevice>; actor: Actor }) => {
    const device = await devices.revokeDevice(app)(actor, path.id);
    streams.endStreamsOnDevice(device.id);
    return device;
  };

export const listPinStaff =
  (app: App) =>
  ({ actor }: { actor: PairedDevice }) =>
    devices.listPinStaff(app)(actor);

interface PinCredentials {
  readonly body: BodyOf<typeof signInContract.pinSignIn>;
  readonly caller: { readonly client: string };
  readonly actor: PairedDevice;
}

export const pinSignIn =
  (app: App) =>
  ({ body, actor, caller }: PinCredentials) =>
    signIns.pinSignIn(app)(actor, { ...body, client: caller.client });
