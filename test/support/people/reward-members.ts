/** Guests with a loyalty card at a shop with a programme. */
import { sql } from 'kysely';
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { makeCard } from '../../../src/loyalty/app/card.ts';
import { postEntry } from '../../../src/loyalty/store/ledger.ts';
import { newId } from '../database/ids.ts';
import { done, post, refusalOf } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';
import { branchId, shopId } from '../shops/cafe.ts';
import { aDeliveredOrder } from './tills.ts';
import { aGuest, aProvenCustomer, proveOn, type Guest } from './guests.ts';

/** Points: one for each pound; a coffee for 10, any item for 50. */
export const aProgramme = (
  overrides: Partial<NonNullable<ShopFile['loyalty']>> = {},
): NonNullable<ShopFile['loyalty']> => ({
  ...{
    enabled: true,
    mode: 'points',
    program_name: { ar: 'نقاط', en: 'Points' },
    earn_piastres_per_point: 100,
  },
  rewards: [
    {
      key: 'coffee',
      name: { ar: 'قهوة هدية', en: 'A free coffee' },
      cost: 10,
      items: [{ category: 'coffee' }],
    },
    { key: 'any', name: { ar: 'أي صنف', en: 'Anything' }, cost: 50 },
  ],
  ...overrides,
});

export interface MemberGuest extends Guest {
  readonly cardId: string;
  readonly memberToken: string;
  readonly deviceToken: string;
}

/** A proven guest with a card that has this balance in both modes. */
export const aMember = async (world: World, balance = 0): Promise<MemberGuest> => {
  const guest = aGuest();
  const deviceToken = await proveOn(world, guest);
  await aProvenCustomer(world, guest, 'منى السيد');
  const card = await makeCard(world.app, shopId(), { phone: guest.typed, name: 'منى السيد' });
  if (card === null) throw new Error('there is a card already');
  for (const mode of ['points', 'visits'] as const)
    if (balance > 0)
      await postEntry(
        world.db.kysely,
        { orgId: shopId(), id: newId(), cardId: card.id, mode, reason: 'adjusted', wanted: balance },
        world.app.clock.now(),
      );
  return { ...guest, cardId: card.id, memberToken: card.memberToken, deviceToken };
};

export interface StoredEntry {
  readonly kind: string;
  readonly source: string;
  readonly amount: number;
}

/** What sales did to a card, oldest first. */
export const entriesOfSales = async ({ db }: World, cardId: string): Promise<readonly StoredEntry[]> => {
  const { rows } = await sql<StoredEntry>`
    select kind, source, amount from loyalty_entry where card_id = ${cardId} and sale_id is not null order by position
  `.execute(db.kysely);
  return rows;
};

export const balanceOf = async ({ db }: World, cardId: string, mode: 'points' | 'visits' = 'points') => {
  const { rows } = await sql<{ points: number; visits: number }>`
    select points, visits from loyalty_card where id = ${cardId}`.execute(db.kysely);
  return rows[0]?.[mode] ?? 0;
};

type QuoteBody = BodyOf<EndpointOf<'quoteCart'>>;
type Quoted = ReadOf<'quoteCart'>;

const askQuote = (world: World, body: QuoteBody, deviceToken?: string) =>
  post(
    world,
    `/public/branches/${branchId()}/cart-quote`,
    body,
    deviceToken === undefined ? {} : { 'x-device-token': deviceToken },
  );

export const quotedWith = async (world: World, body: QuoteBody, deviceToken?: string): Promise<Quoted> =>
  done('quoteCart', await askQuote(world, body, deviceToken));

export const refusedQuote = async (world: World, body: unknown, deviceToken?: string) =>
  refusalOf(await askQuote(world, body as QuoteBody, deviceToken));

/** A delivered order without a card, and a card that can be given it, at a shop with a programme. */
export const aSaleToAward = async (
  world: World,
  slug?: string,
): Promise<{ readonly sale: string; readonly member: string }> => {
  const { kysely } = world.db;
  const orgId = shopId(slug);
  await sql`
    insert into loyalty_program (org_id, enabled, mode, program_name) values (${orgId}, true, 'points', 'نقاط')
    on conflict do nothing`.execute(kysely);
  const card = await makeCard(world.app, orgId, { phone: aGuest().typed, name: 'منى' });
  if (card === null) throw new Error('there is a card already');
  const sale = await aDeliveredOrder(world, slug, aGuest());
  return { sale, member: card.id };
};
