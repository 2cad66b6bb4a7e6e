import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { instantOf } from '../../platform/store/types.ts';
import type { EntryKind, EntrySource } from '../domain/ledger.ts';
import type { Mode } from '../domain/programme.ts';
import type { RewardUse } from '../domain/reward.ts';
import { cardOfToken, memberColumns, shopOfCard, type Member } from './card.ts';
import { shopVersion } from './shop-version.ts';

/** An entry of the ledger. */
export interface Entry {
  readonly id: Uuid;
  readonly at: Instant;
  readonly mode: Mode;
  readonly kind: EntryKind;
  readonly source: EntrySource;
  readonly amount: number;
  readonly shortfall: number;
  readonly saleId: Uuid | null;
  readonly rewards: readonly RewardUse[] | null;
  readonly note: string | null;
  readonly staffId: Uuid | null;
}

interface Page {
  readonly limit: number;
  /** Only entries older than this one; null: from the newest. */
  readonly before?: Uuid | null;
}

/**
 * Newest first, with the entries of the cards that were combined into it: the balance is the sum of all. Each card is
 * read backwards by index, so that a long history costs no more.
 */
const entriesOf = (
  orgId: RawBuilder<unknown>,
  cardId: RawBuilder<unknown>,
  { limit, before = null }: Page,
): RawBuilder<unknown> => sql`
  select e.id, e.at, mode, kind, source, amount, shortfall, sale_id as "saleId", rewards, note, staff_id as "staffId"
  from loyalty_card c
  cross join lateral (
    select * from loyalty_entry
    where org_id = ${orgId} and card_id = c.id
      and (${before}::uuid is null or (position, id) < (select position, id from loyalty_entry
                                                        where org_id = ${orgId} and id = ${before}))
    order by position desc, id desc
    limit ${limit}
  ) e
  where c.org_id = ${orgId} and (c.id = ${cardId} or c.merged_into = ${cardId})
  order by e.position desc, e.id desc
  limit ${limit}`;

export const entriesOfCard = async (
  db: Kysely<Database>,
  orgId: Uuid,
  cardId: Uuid,
  page: Page,
): Promise<readonly Entry[]> =>
  (await sql<Entry>`${entriesOf(sql`${orgId}::uuid`, sql`${cardId}::uuid`, page)}`.execute(db)).rows;

// ── A card as it is shown ───────────────────────────────────────────────────────────────────────

export interface CardState {
  readonly member: Member;
  /** Of the shop. */
  readonly version: number;
  readonly entries: readonly Entry[];
}

/** From a JSON aggregate. */
type EntryJson = Omit<Entry, 'at'> & { readonly at: string };
type CardRow = Member & Pick<CardState, 'version'> & { readonly entries: readonly EntryJson[] };

/** Of any active shop. */
export const cardStateOf = async (
  db: Kysely<Database>,
  tokenHash: Buffer,
  limit: number,
  now: Instant,
): Promise<CardState | null> => {
  const shop = await shopOfCard(db, 'token_hash', tokenHash);
  const { rows } = await sql<CardRow>`
    select ${memberColumns}, ${shopVersion(shop('l'))} as version,
           coalesce((select json_agg(e) from (${entriesOf(shop('l'), sql`l.id`, { limit })}) e), '[]') as entries
    from ${cardOfToken(shop, tokenHash, now)}
    join shop s on s.org_id = ${shop('l')} and s.is_active
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { version, entries, ...member } = row;
  return { member, version, entries: entries.map((entry) => ({ ...entry, at: instantOf(entry.at) })) };
};
