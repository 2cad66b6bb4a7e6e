import { sql, type Kysely } from 'kysely';
import { NO_CODES, type OtpState } from '../domain/otp.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { rowsIfHeard, type Query } from '../../platform/store/nodes/apart.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

interface OtpRow {
  code_hash: string | null;
  code_expires_at: Instant | null;
  tries: number;
  sending_id: string | null;
  sending_at: Instant | null;
  codes: Instant[];
  failures: Instant[];
}

const stateOf = (row: OtpRow): OtpState => ({
  code:
    row.code_hash === null || row.code_expires_at === null
      ? null
      : { hash: row.code_hash, expiresAt: row.code_expires_at, tries: row.tries },
  sending:
    row.sending_id === null || row.sending_at === null ? null : { id: row.sending_id, at: row.sending_at },
  codes: row.codes,
  failures: row.failures,
});

/** Locks the phone's row, inserting it if missing. */
export const lockOtp = async (tx: Tx, phone: Phone, now: Instant): Promise<OtpState> => {
  const { rows } = await sql<OtpRow>`
    insert into otp_phone (phone, updated_at) values (${phone}, ${at(now)})
    on conflict (phone) do update set updated_at = excluded.updated_at
    returning encode(code_hash, 'hex') as code_hash, code_expires_at, tries, sending_id, sending_at, codes, failures
  `.execute(tx);
  return rows[0] === undefined ? NO_CODES : stateOf(rows[0]);
};

const moments = (instants: readonly Instant[]) =>
  sql`${instants.map((instant) => new Date(instant).toISOString())}::timestamptz[]`;

export const saveOtp = async (tx: Tx, phone: Phone, state: OtpState, now: Instant): Promise<void> => {
  const { code, sending } = state;
  await sql`
    update otp_phone
    set code_hash = decode(${code?.hash ?? null}, 'hex'), code_expires_at = ${code === null ? null : at(code.expiresAt)},
        tries = ${code?.tries ?? 0}, sending_id = ${sending?.id ?? null},
        sending_at = ${sending === null ? null : at(sending.at)}, codes = ${moments(state.codes)},
        failures = ${moments(state.failures)}, updated_at = ${at(now)}
    where phone = ${phone}
  `.execute(tx);
};

export interface DeviceToken {
  readonly hash: Buffer;
  readonly phone: Phone;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

export const addDeviceToken = async (tx: Tx, token: DeviceToken): Promise<void> => {
  await tx
    .insertInto('device_token')
    .values({
      token_hash: token.hash,
      phone: token.phone,
      issued_at: at(token.issuedAt),
      expires_at: at(token.expiresAt),
    })
    .execute();
};

interface ProvenPhone {
  /** Of the token, hex. */
  readonly hash: string;
  readonly phone: Phone;
}

/** The live device tokens among the hashes, in hex, and their phones. */
export const liveDeviceTokens = (hashes: readonly Buffer[], now: Instant): Query<ProvenPhone> => ({
  query: sql`
  select encode(token_hash, 'hex') as hash, phone from device_token
  where token_hash = any(${[...hashes]}::bytea[]) and expires_at > ${at(now)}`,
  types: { hash: 'text', phone: 'text' },
  isEmpty: hashes.length === 0,
});

/** By the hex hash of each token; null: the node of one is silent. */
export const phonesProven = async (
  db: Tx,
  hashes: readonly Buffer[],
  now: Instant,
): Promise<ReadonlyMap<string, Phone> | null> => {
  const rows = await rowsIfHeard(db, liveDeviceTokens(hashes, now));
  return rows === null ? null : new Map(rows.map(({ hash, phone }) => [hash, phone]));
};
