/** Moves everything of one customer to another: orders, addresses, balances, greetings, changes of identity. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { postEntry } from '../../loyalty/store/ledger.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { CombinedProfile, Move } from '../domain/identity.ts';

type Db = Kysely<Database>;

export interface Union {
  readonly orgId: Uuid;
  readonly survivorId: Uuid;
  readonly loserId: Uuid;
  /** Null: neither has a card. */
  readonly survivorCardId: Uuid | null;
  /** Null: none. */
  readonly loserCardId: Uuid | null;
}

/**
 * The same place becomes one row, as where it was ordered to last. Orders under way move too, so that they earn for the
 * survivor; one that was given to the card of somebody else stays theirs.
 */
export const moveOrders = async (
  tx: Db,
  { orgId, survivorId, loserId, survivorCardId, loserCardId }: Union,
): Promise<void> => {
  await sql`
    with same_place as (
      select lost.id as lost, kept.id as kept
      from customer_address lost
      join customer_address kept on kept.org_id = ${orgId} and kept.customer_id = ${survivorId}
        and kept.address_key = lost.address_key
      where lost.org_id = ${orgId} and lost.customer_id = ${loserId}
    ), summed as (
      update customer_address kept
      set use_count = kept.use_count + lost.use_count, created_at = least(kept.created_at, lost.created_at),
          last_used_at = greatest(kept.last_used_at, lost.last_used_at), label = coalesce(kept.label, lost.label),
          (branch_id, delivery_zone_id, delivery_notes, lat, lng) =
            (select last.branch_id, last.delivery_zone_id, last.delivery_notes, last.lat, last.lng
             from (values (kept.last_used_at, kept.branch_id, kept.delivery_zone_id, kept.delivery_notes, kept.lat, kept.lng),
                          (lost.last_used_at, lost.branch_id, lost.delivery_zone_id, lost.delivery_notes, lost.lat, lost.lng))
               as last (used_at, branch_id, delivery_zone_id, delivery_notes, lat, lng)
             order by last.used_at desc limit 1)
      from same_place
      join customer_address lost on lost.org_id = ${orgId} and lost.id = same_place.lost
      where kept.org_id = ${orgId} and kept.id = same_place.kept
    ), dropped as (
      delete from customer_address a using same_place where a.org_id = ${orgId} and a.id = same_place.lost
    ), moved as (
      update customer_address set customer_id = ${survivorId}
      where org_id = ${orgId} and customer_id = ${loserId} and id not in (select lost from same_place)
    )
    update delivery_order
    set customer_id = ${survivorId}, card_id = case when card_id = ${loserCardId}::uuid then ${survivorCardId}::uuid else card_id end,
        address_id = coalesce((select kept from same_place where lost = address_id), address_id)
    where org_id = ${orgId} and customer_id = ${loserId}
  `.execute(tx);
};

/** A greeting of the same occasion counts once. */
export const moveGreetingsAndChanges = async (
  tx: Db,
  { orgId, survivorId, loserId }: Union,
): Promise<void> => {
  await sql`
    with moved as (
      delete from loyalty_greeting where org_id = ${orgId} and customer_id = ${loserId} returning *
    ), kept as (
      insert into loyalty_greeting (org_id, customer_id, kind, occasion, at)
      select ${orgId}::uuid, ${survivorId}, kind, occasion, at from moved
      on conflict do nothing
    )
    update identity_change set customer_id = ${survivorId}
    where org_id = ${orgId} and customer_id = ${loserId}
  `.execute(tx);
};

interface BalanceMove extends Move {
  readonly orgId: Uuid;
  readonly from: Uuid;
  readonly to: Uuid;
  readonly entryIds: readonly [from: Uuid, to: Uuid];
}

/** Two entries of one sum. */
export const moveBalance = async (
  tx: Db,
  { orgId, from, to, entryIds, mode, amount }: BalanceMove,
  now: Instant,
): Promise<void> => {
  const entry = { orgId, mode, reason: 'merged' } as const;
  await postEntry(tx, { ...entry, id: entryIds[0], cardId: from, wanted: -amount }, now);
  await postEntry(tx, { ...entry, id: entryIds[1], cardId: to, wanted: amount }, now);
};

/**
 * Leads the loser's card to the survivor's, and with it the cards combined into it before, each for 90 days from its
 * own combination. The loser's row keeps no phone and no name. After `moveGreetingsAndChanges`: the absence that goes on
 * is one that neither was greeted for.
 */
export const endLoser = async (
  tx: Db,
  { orgId, survivorId, loserId, survivorCardId, loserCardId }: Union,
  now: Instant,
): Promise<void> => {
  await sql`
    with led as (
      update loyalty_card
      set merged_into = ${survivorCardId}, merged_at = coalesce(merged_at, ${at(now)}),
          revision = revision + 1, changed_at = ${at(now)}
      where org_id = ${orgId} and (id = ${loserCardId} or merged_into = ${loserCardId})
    ), raised as (
      update loyalty_card survivor
      set revision = revision + 1, changed_at = ${at(now)},
          absent_since = (select max(visit.at) from (select survivor.absent_since as at
                                                     union all
                                                     select absent_since from loyalty_card
                                                     where org_id = ${orgId} and id = ${loserCardId}) as visit
                          where visit.at > all (select at from loyalty_greeting
                                                where org_id = ${orgId} and customer_id = ${survivorId}
                                                  and kind = 'win_back'))
      where org_id = ${orgId} and id = ${survivorCardId}
    ), ended as (
      update customer
      set phone = null, name = '', phone_proven_at = null, birth_month = null, birth_day = null,
          merged_into = ${survivorId}, updated_at = ${at(now)}
      where org_id = ${orgId} and id = ${loserId}
    )
    update customer set merged_into = ${survivorId}
    where org_id = ${orgId} and merged_into = ${loserId}
  `.execute(tx);
};

/** After `endLoser`, which frees the phone. */
export const setProfile = async (
  tx: Db,
  { orgId, survivorId }: Union,
  { phone, name, provenAt, optedOut, birthday }: CombinedProfile,
  now: Instant,
): Promise<void> => {
  await sql`
    update customer
    set phone = ${phone}, name = ${name}, phone_proven_at = ${provenAt === null ? null : at(provenAt)},
        marketing_opt_out = ${optedOut}, birth_month = ${birthday?.month ?? null}, birth_day = ${birthday?.day ?? null},
        updated_at = ${at(now)}
    where org_id = ${orgId} and id = ${survivorId}
  `.execute(tx);
};
