import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { inSteps } from '../../platform/store/nodes/apart.ts';
import type { Database } from '../../platform/store/schema.ts';
import { ENTRIES, type EntryReason } from '../domain/ledger.ts';
import type { Mode } from '../domain/programme.ts';
import type { RewardUse } from '../domain/reward.ts';

type Db = Kysely<Database>;

/** Of the column, an int32: what goes beyond it is trimmed like what goes beyond a cap. */
const HIGHEST_BALANCE = 2_147_483_647;

/** Older builds numbered the entries of all shops from 1. */
const FIRST_POSITION = 1_000_000_000_000;

export interface NewEntry {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly cardId: Uuid;
  readonly mode: Mode;
  readonly reason: EntryReason;
  /** Signed. */
  readonly wanted: number;
  /** Null: none. */
  readonly cap?: number | null;
  /** Of an earning, a redemption and a reversal. */
  readonly saleId?: Uuid;
  readonly refundId?: Uuid;
  /** Of a reversal: which entry of the sale it takes back. */
  readonly reverses?: 'earn' | 'redeem';
  readonly rewards?: readonly RewardUse[];
  readonly note?: string | null;
  readonly staffId?: Uuid | null;
  /** For a transaction that names the owner afterwards: locks the owner's row before the card's. */
  readonly locksOwner?: boolean;
}

export interface Posted {
  /** False: the sale has this entry already, or the whole amount does not fit. */
  readonly isPosted: boolean;
  readonly amount: number;
  readonly shortfall: number;
  /** After the entry. */
  readonly balance: number;
}

/** Keeps the owner of the card from being combined until the transaction ends. */
const lockedOwner = ({ orgId, cardId }: NewEntry) => ({
  query: sql`
    select id from customer
    where org_id = ${orgId} and id = (select customer_id from loyalty_card where org_id = ${orgId} and id = ${cardId})
    for no key update`,
  types: { id: 'uuid' },
});

const lockedCard = ({ orgId, cardId, mode, locksOwner = false }: NewEntry) => ({
  query: sql`
    select id, ${sql.ref(mode)} as balance, last_position from loyalty_card
    where org_id = ${orgId} and id = ${cardId} and merged_into is null
      and ${locksOwner ? sql`(select count(*) from owner) > 0` : sql`true`}
    for no key update`,
  types: { id: 'uuid', balance: 'int', last_position: 'bigint' },
});

/** Of the locked card. */
const insertedEntry = (entry: NewEntry, now: Instant) => {
  const { orgId, wanted } = entry;
  const { kind, source, fit } = ENTRIES[entry.reason];
  const cap = fit === 'to cap' ? (entry.cap ?? null) : null;
  return {
    query: sql`
      insert into loyalty_entry (org_id, id, card_id, at, mode, kind, source, amount, shortfall, sale_id, refund_id, reverses,
                                 rewards, note, staff_id, position)
      select ${orgId}, ${entry.id}, id, ${at(now)}, ${entry.mode}, ${kind}, ${source}, amount,
             abs(${wanted}::int - amount), ${entry.saleId ?? null}, ${entry.refundId ?? null},
             ${entry.reverses ?? null}, ${entry.rewards === undefined ? null : JSON.stringify(entry.rewards)}::jsonb,
             ${entry.note ?? null}, ${entry.staffId ?? null}, position
      from (
        select id,
          greatest(last_position, ${FIRST_POSITION}::bigint + (select seq from change_counter where org_id = ${orgId}))
            + 1 as position,
          case
            when ${wanted}::int < 0 then greatest(${wanted}::int, -balance)
            else least(${wanted}::int, greatest(coalesce(${cap}::int, ${HIGHEST_BALANCE}::int) - balance, 0)) end as amount
        from card
      ) as fitted
      where ${fit !== 'whole'} or amount = ${wanted}::int
      on conflict do nothing
      returning amount, shortfall, position`,
    types: { amount: 'int', shortfall: 'int', position: 'bigint' },
  };
};

/**
 * Adds the entry and its amount to the card, in one statement that locks the card. Null: there is no such card, or it
 * was combined with another. The new balance is that of the locked row and not of the row that the update finds first,
 * which is older where the statement waited: PostgreSQL checks constraints on that one too. So is the position, which is
 * also above the shop's change counter, and with it above most entries of cards with which it is combined later.
 */
export const postEntry = async (tx: Db, entry: NewEntry, now: Instant): Promise<Posted | null> => {
  const steps = await inSteps(tx, {
    ...(entry.locksOwner === true && { owner: lockedOwner(entry) }),
    card: lockedCard(entry),
    posted: insertedEntry(entry, now),
  });
  const { rows } = await sql<Posted>`
    with ${steps},
    changed as (
      update loyalty_card
      set ${sql.ref(entry.mode)} = (select balance from card) + (select amount from posted), revision = revision + 1,
          changed_at = ${at(now)}, last_position = (select position from posted)
      where org_id = ${entry.orgId} and id = ${entry.cardId} and (select count(*) from posted) > 0
    )
    select posted.amount is not null as "isPosted", coalesce(posted.amount, 0) as amount,
           coalesce(posted.shortfall, 0) as shortfall, card.balance + coalesce(posted.amount, 0) as balance
    from card left join posted on true
  `.execute(tx);
  return rows[0] ?? null;
};

/** The card to which the balance of this one moved; null: none. */
export const cardCombinedWith = async (db: Db, orgId: Uuid, cardId: Uuid): Promise<Uuid | null> => {
  const row = await db
    .selectFrom('loyalty_card')
    .select('merged_into')
    .where('org_id', '=', orgId)
    .where('id', '=', cardId)
    .executeTakeFirst();
  return row?.merged_into ?? null;
};

export interface EarningOfSale {
  /** The card, or the one with which it was combined meanwhile. */
  readonly cardId: Uuid;
  readonly mode: Mode;
  /** 0: nothing. */
  readonly amount: number;
  /** Of the card, now. */
  readonly balance: number;
}

/** What a sale of the card earned; `mode`: where it earned nothing. */
export const earningOf = async (
  db: Db,
  orgId: Uuid,
  { saleId, cardId, mode }: { readonly saleId: Uuid; readonly cardId: Uuid; readonly mode: Mode },
): Promise<EarningOfSale> => {
  const { rows } = await sql<EarningOfSale>`
    select l.id as "cardId", coalesce(e.mode, ${mode}) as mode, coalesce(e.amount, 0) as amount,
           case coalesce(e.mode, ${mode}) when 'points' then l.points else l.visits end as balance
    from loyalty_card named
    join loyalty_card l on l.org_id = ${orgId} and l.id = coalesce(named.merged_into, named.id)
    left join loyalty_entry e on e.org_id = ${orgId} and e.sale_id = ${saleId} and e.kind = 'earn'
    where named.org_id = ${orgId} and named.id = ${cardId}
  `.execute(db);
  return rows[0] ?? { cardId, mode, amount: 0, balance: 0 };
};
