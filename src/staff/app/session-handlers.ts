import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import type * as devicesContract from '../contract/devices.ts';
import type * as signInContract from '../contract/sign-in.ts';
import { CookieReply } from '../../platform/app/answer.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import { isLoopback } from '../../platform/domain/loopback.ts';
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

type Kept = BodyOf<typeof signInContract.pinSignIn>['session'];

/** By http from another machine no browser says that a page reads its own origin, so that its cookie would not count. */
const checkKept = ({ baseUrl }: Pick<App, 'baseUrl'>, kept: Kept): void => {
  if (kept !== 'cookie' || baseUrl.startsWith('https:') || isLoopback(baseUrl)) return;
  throw invalidInput({
    path: 'session',
    problem:
      'cannot be `cookie` while BASE_URL is http: give BASE_URL the https address of the service, or use `token`',
    arabic: 'لا تكون cookie ما دام BASE_URL بـ http: اجعله عنوان https للخدمة، أو استخدم token',
  });
};

/** In a cookie the token is nowhere else, so that no script of the page has it. */
const keptIn = <T extends signIns.SignedIn>(kept: Kept, { token, ...signedIn }: T) =>
  kept === 'cookie'
    ? new CookieReply({ ...signedIn, token: null }, { token, maxAgeSeconds: signIns.SESSION_MS / 1_000 })
    : { ...signedIn, token };

export const staffSignIn = (app: App) => async (request: Credentials<'staffSignIn'>) => {
  checkKept(app, request.body.session);
  return keptIn(request.body.session, await signIns.signIn(app)(tryOf(request)));
};

export const reauthenticate =
  (app: App) => (request: Credentials<'reauthenticate'> & { readonly actor: Actor }) =>
    signIns.reauthenticate(app)(request.actor, tryOf(request));

/** Ends the session's boards, in other processes with their next poll, and the cookie of a browser. */
export const staffSignOut =
  (app: App, streams: access.SessionStreams) =>
  async ({ actor }: { actor: Actor }) => {
    await access.signOut(app)(actor);
    streams.endStreamsOfSession(actor.session);
    return new CookieReply({ signed_out: true }, null);
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
  async ({ body, actor, caller }: PinCredentials) => {
    checkKept(app, body.session);
    return keptIn(body.session, await signIns.pinSignIn(app)(actor, { ...body, client: caller.client }));
  };
