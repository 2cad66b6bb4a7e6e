import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { StaffScope } from '../domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { OF_ANY, ofAllShops, type Answers } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { roleIn } from './staff.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

export interface NewSession {
  readonly tokenHash: Buffer;
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
  readonly now: Instant;
  readonly expiresAt: Instant;
  /** Null: never in this session. */
  readonly passwordAt: Instant | null;
}

export const addSession = async (tx: Tx, session: NewSession): Promise<void> => {
  await tx
    .insertInto('staff_session')
    .values({
      token_hash: session.tokenHash,
      id: session.id,
      org_id: session.orgId,
      staff_id: session.staffId,
      device_id: session.deviceId,
      created_at: at(session.now),
      last_used_at: at(session.now),
      expires_at: at(session.expiresAt),
      password_at: session.passwordAt === null ? null : at(session.passwordAt),
    })
    .execute();
};

/** A session on a device ends when unused for `idleMs`. */
export interface SessionLiveness {
  readonly now: Instant;
  readonly idleMs: number;
}

export interface SessionRow extends StaffScope {
  readonly tokenHash: Buffer;
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
  readonly name: string;
  readonly isShopActive: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  readonly passwordAt: Instant | null;
  /** Null: no device. */
  readonly deviceLabel: string | null;
  /** As stored. */
  readonly deviceUsedAt: Instant | null;
}

/** Sessions made by older builds have no last use. */
const lastUse = sql<Instant>`coalesce(session.last_used_at, session.created_at)`;

/** Sessions not expired or idle, of active people, on devices that have not ended. `shop`: null for sessions of many. */
const liveSessions = (
  db: Tx,
  { now, idleMs }: SessionLiveness,
  shop: Uuid | null = null,
  ofShops = OF_ANY,
) => {
  const org = shop === null ? sql.ref<Uuid>('session.org_id') : sql<Uuid>`${shop}`;
  return db
    .selectFrom('staff_session as session')
    .innerJoin('staff', (on) => on.on('staff.org_id', '=', org).onRef('staff.id', '=', 'session.staff_id'))
    .innerJoin('shop', (on) => on.on('shop.org_id', '=', org))
    .leftJoin('staff_device as device', (on) =>
      on.on('device.org_id', '=', org).onRef('device.id', '=', 'session.device_id'),
    )
    .select([
      'session.token_hash as tokenHash',
      'session.id',
      'session.org_id as orgId',
      'session.staff_id as staffId',
      'session.device_id as deviceId',
      'session.created_at as createdAt',
      lastUse.as('lastUsedAt'),
      'session.expires_at as expiresAt',
      'session.password_at as passwordAt',
      'device.label as deviceLabel',
      'device.last_used_at as deviceUsedAt',
      'staff.name',
      'staff.role',
      'staff.branch_ids as branchIds',
      'shop.is_active as isShopActive',
    ])
    .where('session.expires_at', '>', at(now))
    .where(ofShops('session.org_id'))
    .where(ofShops('staff.org_id'))
    .where(ofShops('shop.org_id'))
    .where('staff.is_active', '=', true)
    .where('staff.archived_at', 'is', null)
    .where((row) =>
      row.or([
        row('session.device_id', 'is', null),
        row.and([
          row('device.id', 'is not', null),
          row('device.revoked_at', 'is', null),
          row('device.expired_at', 'is', null),
          sql<boolean>`${lastUse} > ${at(now - idleMs)}`,
        ]),
      ]),
    );
};

type Found = Omit<SessionRow, 'role'> & { readonly role: string };

const asSession = (row: Found): SessionRow => ({ ...row, role: roleIn(row.role) });

export const liveSession = async (
  db: Tx,
  orgId: Uuid,
  tokenHash: Buffer,
  sessionLiveness: SessionLiveness,
): Promise<SessionRow | null> => {
  const row = await liveSessions(db, sessionLiveness, orgId)
    .where('session.org_id', '=', orgId)
    .where('session.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row === undefined ? null : asSession(row);
};

/** Of any shops. */
export const liveSessionsOf = async (
  db: Tx,
  tokenHashes: readonly Buffer[],
  sessionLiveness: SessionLiveness,
): Promise<Answers<SessionRow>> => {
  const answers = await ofAllShops(db, (ofShops) =>
    liveSessions(db, sessionLiveness, null, ofShops).where(
      sql<boolean>`session.token_hash = any(${[...tokenHashes]}::bytea[])`,
    ),
  );
  return { ...answers, rows: answers.rows.map(asSession) };
};

/** Latest first. */
export const sessionsOfPerson = async (
  db: Tx,
  orgId: Uuid,
  staffId: Uuid,
  sessionLiveness: SessionLiveness,
): Promise<SessionRow[]> => {
  const rows = await liveSessions(db, sessionLiveness, orgId)
    .where('session.org_id', '=', orgId)
    .where('session.staff_id', '=', staffId)
    .orderBy('session.created_at', 'desc')
    .orderBy('session.id')
    .execute();
  return rows.map(asSession);
};

/** Stores use, unless stored after `touchedBefore`, or the node is silent. */
export const touchSessions = async (
  db: Tx,
  tokenHashes: readonly Buffer[],
  now: Instant,
  touchedBefore: Instant,
): Promise<void> => {
  await ofAllShops(
    db,
    (ofShops) => sql`
    update staff_session session set last_used_at = ${at(now)}
    where session.token_hash = any(${[...tokenHashes]}::bytea[]) and ${lastUse} <= ${at(touchedBefore)}
      and ${ofShops('session.org_id')}
  `,
  );
};

/** The branch of the session's device; null: no device. */
export interface SessionPlace {
  readonly branchId: Uuid | null;
}

const itsBranch = (orgId: Uuid): RawBuilder<unknown> => sql`(
  select d.branch_id from staff_device d where d.org_id = ${orgId} and d.id = s.device_id
) as "branchId"`;

export const elevateSession = async (
  tx: Tx,
  orgId: Uuid,
  tokenHash: Buffer,
  now: Instant,
): Promise<SessionPlace | null> => {
  const { rows } = await sql<SessionPlace>`
    update staff_session s set password_at = ${at(now)}, last_used_at = ${at(now)}
    where s.org_id = ${orgId} and s.token_hash = ${tokenHash} and s.expires_at > ${at(now)}
    returning ${itsBranch(orgId)}
  `.execute(tx);
  return rows[0] ?? null;
};

/** Ends the elevation of a person's sessions other than `except`. */
export const endElevation = async (
  tx: Tx,
  { orgId, staffId }: { readonly orgId: Uuid; readonly staffId: Uuid },
  except: Buffer,
): Promise<void> => {
  await tx
    .updateTable('staff_session')
    .set({ password_at: null })
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('token_hash', '<>', except)
    .execute();
};

export interface EndedSession extends SessionPlace {
  readonly id: Uuid;
  readonly tokenHash: Buffer;
}

export const endSession = async (tx: Tx, orgId: Uuid, tokenHash: Buffer): Promise<EndedSession | null> => {
  const { rows } = await sql<EndedSession>`
    delete from staff_session s
    where s.org_id = ${orgId} and s.token_hash = ${tokenHash}
    returning s.id, s.token_hash as "tokenHash", ${itsBranch(orgId)}
  `.execute(tx);
  return rows[0] ?? null;
};

/** Ends a person's session with the id `only`, or all if null, other than `except`. */
export const endOwnSessions = async (
  tx: Tx,
  { orgId, staffId }: { readonly orgId: Uuid; readonly staffId: Uuid },
  { only, except }: { readonly only: Uuid | null; readonly except: Buffer | null },
): Promise<EndedSession[]> => {
  const { rows } = await sql<EndedSession>`
    delete from staff_session s
    where s.org_id = ${orgId} and s.staff_id = ${staffId}
      and ${only === null ? sql`true` : sql`s.id = ${only}`}
      and ${except === null ? sql`true` : sql`s.token_hash <> ${except}`}
    returning s.id, s.token_hash as "tokenHash", ${itsBranch(orgId)}
  `.execute(tx);
  return rows;
};

/** Returns the count. */
export const endSessionsOf = async (tx: Tx, orgId: Uuid, staffIds: readonly Uuid[]): Promise<number> => {
  if (staffIds.length === 0) return 0;
  const { numDeletedRows } = await tx
    .deleteFrom('staff_session')
    .where('org_id', '=', orgId)
    .where('staff_id', 'in', staffIds)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** Deletes all but a person's `most` latest sessions; skips rows that another transaction has locked. */
export const endOldestSessions = async (
  tx: Tx,
  { orgId, staffId }: Pick<NewSession, 'orgId' | 'staffId'>,
  most: number,
): Promise<void> => {
  await sql`
    delete from staff_session where org_id = ${orgId} and token_hash in (
      select token_hash from staff_session
      where org_id = ${orgId} and staff_id = ${staffId}
      order by created_at desc, id
      offset ${most}
      for update skip locked)
  `.execute(tx);
};

export const endSessionsOn = async (tx: Tx, orgId: Uuid, deviceId: Uuid): Promise<void> => {
  await tx
    .deleteFrom('staff_session')
    .where('org_id', '=', orgId)
    .where('device_id', '=', deviceId)
    .execute();
};
