/** A member of staff's own sessions, password and PIN (Decisions 12). */
import type { BodyOf, HeadersOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/me.ts';
import { invalidInput, Refusal, type Problem } from '../../kernel/refusal.ts';
import { pinFault } from '../domain/secrets.ts';
import { isoInstant } from '../../kernel/time.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import { deviceOfShop } from '../store/devices.ts';
import { endOwnSessions, sessionsOfPerson, type EndedSession } from '../store/sessions.ts';
import { emailOf } from '../store/staff.ts';
import type { App } from '../../platform/app/app.ts';
import { passwordFaultOf, recordSecret, secretIn, storeSecret, type SecretChange } from './secrets.ts';
import {
  sessionLiveness,
  staffEvent,
  type Actor,
  type PairedDevice,
  type SessionStreams,
  type StaffDeps,
} from './access.ts';
import { withPassword, withPin } from './credentials.ts';
import { rememberDevice } from './sign-in.ts';

type Ended = ReplyOf<typeof contract.endOwnSession>;

const changeBySelf = (actor: Actor, knownDevice: Buffer | null = null): SecretChange => ({
  ...{ orgId: actor.orgId, staffId: actor.staffId, by: actor, knownDevice },
});

const refuseFault = (path: string, fault: Problem | null): void => {
  if (fault !== null) throw invalidInput({ path, ...fault });
};

/** Boards end at once, in other processes with their next poll. */
const endStreams = (streams: SessionStreams, ended: readonly EndedSession[]): Ended => {
  for (const { tokenHash } of ended) streams.endStreamsOfSession(tokenHash);
  return { sessions_ended: ended.length };
};

// ── Password ────────────────────────────────────────────────────────────────────────────────────

interface NewPassword {
  readonly body: BodyOf<typeof contract.changePassword>;
  readonly headers: HeadersOf<typeof contract.changePassword>;
  readonly caller: { readonly client: string };
  readonly actor: Actor;
}

const SAME = { problem: 'must be another one than before', arabic: 'يجب أن تختلف عن السابقة' };

/** POST /staff/me/password. Afterwards only this device is known. */
export const changePassword =
  (app: App, streams: SessionStreams) =>
  async ({ body, headers, caller, actor }: NewPassword): Promise<ReplyOf<typeof contract.changePassword>> => {
    const { current_password: current, new_password: next } = body;
    const { orgId, staffId, name } = actor;
    const email = await emailOf(app.db.kysely, orgId, staffId);
    refuseFault('new_password', await passwordFaultOf(app, orgId, { name, email }, next));
    refuseFault('new_password', secretIn('password', current) === secretIn('password', next) ? SAME : null);
    const shown = headers['x-known-device'];
    const change = changeBySelf(actor, shown === undefined ? null : app.tokens.hashOf(shown));
    const { ended, known_device } = await withPassword(
      app,
      {
        email: email ?? '',
        password: current,
        client: caller.client,
        knownDevice: shown,
        second_factor: body.second_factor,
      },
      {
        actor,
        refusal: 'CREDENTIALS_WRONG',
        isToChange: true,
        prepare: () => app.passwords.hash(secretIn('password', next)),
      },
      async (tx, person, hash) => ({
        ended: await storeSecret(app, tx, change, 'password', hash),
        known_device: await rememberDevice(app, tx, person, shown),
      }),
    );
    recordSecret(app, change, 'password', ended.length);
    return { ...endStreams(streams, ended), known_device };
  };

// ── PIN ─────────────────────────────────────────────────────────────────────────────────────────

const NEEDED = {
  problem: 'is required, unless the password was given within the last ten minutes',
  arabic: 'مطلوب، ما لم تُكتب كلمة المرور خلال آخر عشر دقائق',
};

const deviceOf = async ({ db }: StaffDeps, { orgId, deviceId }: Actor): Promise<PairedDevice | null> => {
  const device = deviceId === null ? null : await deviceOfShop(db.kysely, orgId, deviceId);
  return device === null
    ? null
    : { orgId, deviceId: device.id, branchId: device.branchId, label: device.label, hasEnded: false };
};

interface NewPin {
  readonly body: BodyOf<typeof contract.changePin>;
  readonly caller: { readonly client: string };
  readonly actor: Actor;
}

/** Requires an elevated session, or the current PIN typed on a paired device. */
const storePin = async (app: App, { body, actor, caller }: NewPin) => {
  const { current_pin: current, new_pin: next } = body;
  const prepare = (): Promise<string> => app.passwords.hash(secretIn('pin', next), 'pin');
  if (actor.elevatedUntil !== null) {
    const hash = await prepare();
    return app.db.tx((tx) => storeSecret(app, tx, changeBySelf(actor), 'pin', hash));
  }
  const device = await deviceOf(app, actor);
  if (device === null || current === undefined) throw invalidInput({ path: 'current_pin', ...NEEDED });
  const tried = { staff_id: actor.staffId, pin: current, client: caller.client };
  const use = { refusal: 'CREDENTIALS_WRONG', isToChange: true, prepare } as const;
  return withPin(app, device, tried, use, (tx, _, hash) =>
    storeSecret(app, tx, changeBySelf(actor), 'pin', hash),
  );
};

/** POST /staff/me/pin. */
export const changePin =
  (app: App, streams: SessionStreams) =>
  async (request: NewPin): Promise<Ended> => {
    const { body, actor } = request;
    refuseFault('new_pin', pinFault(body.new_pin));
    const ended = await storePin(app, request);
    recordSecret(app, changeBySelf(actor), 'pin', ended.length);
    return endStreams(streams, ended);
  };

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

/** GET /staff/me/sessions, latest first. */
export const listSessions =
  ({ db, clock }: Pick<App, 'db' | 'clock'>) =>
  async ({ actor }: { actor: Actor }): Promise<ReplyOf<typeof contract.listSessions>> => {
    const { orgId, staffId, session: own } = actor;
    const sessions = await sessionsOfPerson(db.kysely, orgId, staffId, sessionLiveness(clock.now()));
    return sessions.map(({ id, deviceId, deviceLabel, createdAt, lastUsedAt, expiresAt, tokenHash }) => ({
      id,
      device: deviceId === null ? null : { id: deviceId, label: deviceLabel ?? '' },
      since: isoInstant(createdAt),
      last_used_at: isoInstant(lastUsedAt),
      expires_at: isoInstant(expiresAt),
      current: tokenHash.equals(own),
    }));
  };

type Which = Parameters<typeof endOwnSessions>[2];

const endSelected = async (app: App, streams: SessionStreams, actor: Actor, which: Which): Promise<Ended> => {
  const { orgId, staffId } = actor;
  const ended = await app.db.tx(async (tx) => {
    const gone = await endOwnSessions(tx, actor, which);
    await recordUnlogged(
      app,
      tx,
      ...gone.map(({ id, branchId }) => ({
        ...staffEvent('staff.session_ended', actor, branchId),
        detail: { session_id: id },
      })),
    );
    return gone;
  });
  if (ended.length > 0)
    app.security.record(
      'sessions_ended',
      { org_id: orgId, staff_id: staffId, why: 'own_choice', sessions: ended.length },
      ended.length,
    );
  return endStreams(streams, ended);
};

/** POST /staff/me/sessions/{id}/end. Throws NOT_FOUND for another's session. */
export const endOwnSession =
  (app: App, streams: SessionStreams) =>
  async ({ path, actor }: { path: PathOf<typeof contract.endOwnSession>; actor: Actor }): Promise<Ended> => {
    const ended = await endSelected(app, streams, actor, { only: path.id, except: null });
    if (ended.sessions_ended === 0) throw new Refusal('NOT_FOUND');
    return ended;
  };

/** POST /staff/me/sessions/end-others. */
export const endOtherSessions =
  (app: App, streams: SessionStreams) =>
  ({ actor }: { actor: Actor }): Promise<Ended> =>
    endSelected(app, streams, actor, { only: null, except: actor.session });
