/** What people of the staff do about themselves: their sign-ins, their password, their PIN (Decisions 12). */
import type { BodyOf, HeadersOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/me.ts';
import { invalidInput, Refusal, type Problem } from '../../kernel/refusal.ts';
import { pinFault } from '../domain/secrets.ts';
import { isoInstant } from '../../kernel/time.ts';
import { addAudit } from '../../platform/store/audit.ts';
import { deviceOfShop } from '../store/devices.ts';
import { endOwnSessions, sessionsOfPerson, type EndedSession } from '../store/sessions.ts';
import { emailOf } from '../store/staff.ts';
import type { App } from '../../platform/app/app.ts';
import { passwordFaultOf, recordSecret, secretIn, storeSecret, type Given } from './secrets.ts';
import {
  living,
  staffEntry,
  type Actor,
  type PairedDevice,
  type SessionStreams,
  type StaffDeps,
} from './access.ts';
import { givingPassword, givingPin } from './credentials.ts';
import { knowDevice } from './sign-in.ts';

type Ended = ReplyOf<typeof contract.endOwnSession>;

const givenBySelf = (actor: Actor, knownDevice: Buffer | null = null): Given => ({
  ...{ orgId: actor.orgId, staffId: actor.staffId, by: actor, knownDevice },
});

const refuseFault = (path: string, fault: Problem | null): void => {
  if (fault !== null) throw invalidInput({ path, ...fault });
};

/** The boards of sign-ins that have ended go dark at once; those at another process with its next poll. */
const endStreams = (streams: SessionStreams, ended: readonly EndedSession[]): Ended => {
  for (const { tokenHash } of ended) streams.endOf(tokenHash);
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

/** POST /staff/me/password. The device on which it is done is known from then on, and no other. */
export const changePassword =
  (app: App, streams: SessionStreams) =>
  async ({ body, headers, caller, actor }: NewPassword): Promise<ReplyOf<typeof contract.changePassword>> => {
    const { current_password: current, new_password: next } = body;
    const { orgId, staffId, name } = actor;
    const email = await emailOf(app.db.kysely, orgId, staffId);
    refuseFault('new_password', await passwordFaultOf(app, orgId, { name, email }, next));
    refuseFault('new_password', secretIn('password', current) === secretIn('password', next) ? SAME : null);
    const shown = headers['x-known-device'];
    const given = givenBySelf(actor, shown === undefined ? null : app.tokens.hashOf(shown));
    const { ended, known_device } = await givingPassword(
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
        ended: await storeSecret(app, tx, given, 'password', hash),
        known_device: await knowDevice(app, tx, person, shown),
      }),
    );
    recordSecret(app, given, 'password', ended.length);
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
    : { orgId, deviceId: device.id, branchId: device.branchId, label: device.label };
};

interface NewPin {
  readonly body: BodyOf<typeof contract.changePin>;
  readonly caller: { readonly client: string };
  readonly actor: Actor;
}

/** By the password that was given lately, or by the PIN that they have, which is typed on a paired device. */
const storePin = async (app: App, { body, actor, caller }: NewPin) => {
  const { current_pin: current, new_pin: next } = body;
  const prepare = (): Promise<string> => app.passwords.hash(secretIn('pin', next), 'pin');
  if (actor.elevatedUntil !== null) {
    const hash = await prepare();
    return app.db.tx((tx) => storeSecret(app, tx, givenBySelf(actor), 'pin', hash));
  }
  const device = await deviceOf(app, actor);
  if (device === null || current === undefined) throw invalidInput({ path: 'current_pin', ...NEEDED });
  const given = { staff_id: actor.staffId, pin: current, client: caller.client };
  const giving = { refusal: 'CREDENTIALS_WRONG', isToChange: true, prepare } as const;
  return givingPin(app, device, given, giving, (tx, _, hash) =>
    storeSecret(app, tx, givenBySelf(actor), 'pin', hash),
  );
};

/** POST /staff/me/pin. */
export const changePin =
  (app: App, streams: SessionStreams) =>
  async (given: NewPin): Promise<Ended> => {
    const { body, actor } = given;
    refuseFault('new_pin', pinFault(body.new_pin));
    const ended = await storePin(app, given);
    recordSecret(app, givenBySelf(actor), 'pin', ended.length);
    return endStreams(streams, ended);
  };

// ── Sign-ins ────────────────────────────────────────────────────────────────────────────────────

/** GET /staff/me/sessions, the latest first. */
export const listSessions =
  ({ db, clock }: Pick<App, 'db' | 'clock'>) =>
  async ({ actor }: { actor: Actor }): Promise<ReplyOf<typeof contract.listSessions>> => {
    const { orgId, staffId, session: own } = actor;
    const sessions = await sessionsOfPerson(db.kysely, orgId, staffId, living(clock.now()));
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

const endThose = async (app: App, streams: SessionStreams, actor: Actor, which: Which): Promise<Ended> => {
  const { orgId, staffId } = actor;
  const ended = await app.db.tx(async (tx) => {
    const gone = await endOwnSessions(tx, actor, which);
    await addAudit(
      tx,
      ...gone.map(({ id, branchId }) => ({
        ...staffEntry(app, 'staff.session_ended', actor, branchId),
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

/** POST /staff/me/sessions/{id}/end. Throws NOT_FOUND for what is none of one's own. */
export const endOwnSession =
  (app: App, streams: SessionStreams) =>
  async ({ path, actor }: { path: PathOf<typeof contract.endOwnSession>; actor: Actor }): Promise<Ended> => {
    const ended = await endThose(app, streams, actor, { only: path.id, except: null });
    if (ended.sessions_ended === 0) throw new Refusal('NOT_FOUND');
    return ended;
  };

/** POST /staff/me/sessions/end-others. */
export const endOtherSessions =
  (app: App, streams: SessionStreams) =>
  ({ actor }: { actor: Actor }): Promise<Ended> =>
    endThose(app, streams, actor, { only: null, except: actor.session });
