/** Members whose phone changes: they prove phones, replace and combine over HTTP. */
import type { Selectable } from 'kysely';
import type { CustomerTable } from '../../../src/customers/store/schema/customer.ts';
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { makeCard } from '../../../src/loyalty/app/card.ts';
import { postEntry } from '../../../src/loyalty/store/ledger.ts';
import { MODES, type Balances } from '../../../src/loyalty/domain/programme.ts';
import { shopId } from '../shops/cafe.ts';
import type { Reply } from '../server/http-client.ts';
import { done, post, refusalOf } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';
import { aGuest, aProvenCustomer, proveOn, type Guest } from './guests.ts';

export type Identity = ReadOf<'combineCards'>;
type IdentityInput = BodyOf<EndpointOf<'combineCards'>>;

/** A guest whose phone a device has proven. */
export interface ProvenGuest extends Guest {
  readonly device: string;
}

export interface CardMember extends ProvenGuest {
  readonly token: string;
  readonly cardId: string;
  readonly customerId: string;
}

export const aProvenGuest = async (world: World): Promise<ProvenGuest> => {
  const guest = aGuest();
  return { ...guest, device: await proveOn(world, guest) };
};

/** A member with these balances, whose card is one second older than the next one's. */
export const aMemberWith = async (
  world: World,
  balances: Partial<Balances> = {},
  name = 'منى السيد',
  guest?: ProvenGuest,
): Promise<CardMember> => {
  const owner = guest ?? (await aProvenGuest(world));
  world.now += 1_000;
  if (owner.device !== '') await aProvenCustomer(world, owner, name);
  const card = await makeCard(world.app, shopId(), { phone: owner.typed, name });
  if (card === null) throw new Error('there is a card already');
  const { id: cardId, customerId } = card;
  for (const mode of MODES) {
    const wanted = balances[mode] ?? 0;
    if (wanted === 0) continue;
    const id = world.app.random.uuid();
    const entry = { orgId: shopId(), id, cardId, mode, reason: 'adjusted', wanted } as const;
    await postEntry(world.db.kysely, entry, world.now);
  }
  return { ...owner, token: card.memberToken, cardId, customerId };
};

/** The body with which the owner of both phones asks. */
export const proofsOf = (
  from: ProvenGuest,
  to: ProvenGuest,
  more: Partial<IdentityInput> = {},
): IdentityInput => ({
  ...{ device_token: from.device, new_phone: to.typed, new_phone_device_token: to.device },
  ...more,
});

type What = 'replace-identity' | 'combine';

export const askIdentity = (world: World, what: What, token: string, body: object): Promise<Reply> =>
  post(world, `/public/order-now/${token}/${what}`, body);

export const replacedBy = async (
  world: World,
  member: CardMember,
  to: ProvenGuest,
  more: Partial<IdentityInput> = {},
): Promise<Identity> =>
  done(
    'replaceIdentity',
    await askIdentity(world, 'replace-identity', member.token, proofsOf(member, to, more)),
  );

export const combinedWith = async (
  world: World,
  member: CardMember,
  to: ProvenGuest,
  more: Partial<IdentityInput> = {},
): Promise<Identity> =>
  done('combineCards', await askIdentity(world, 'combine', member.token, proofsOf(member, to, more)));

export const identityRefused = async (world: World, what: What, token: string, body: object) =>
  refusalOf(await askIdentity(world, what, token, body));

export const orderNowOf = async (
  world: World,
  token: string,
  device?: string,
): Promise<ReadOf<'orderNow'>> => {
  const headers = device === undefined ? {} : { 'x-device-token': device };
  return done('orderNow', await world.get(`/public/order-now/${token}`, headers));
};

export const pastOrdersOf = async (world: World, token: string): Promise<ReadOf<'pastOrders'>['orders']> =>
  (await world.read('pastOrders', `/public/loyalty/card/${token}/orders`)).orders;

export const balancesOf = async (world: World, cardId: string): Promise<Balances> =>
  world.db.kysely
    .selectFrom('loyalty_card')
    .select(['points', 'visits'])
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();

/** Oldest first. */
export const identityChangesOf = (
  { db }: World,
  { customerId }: CardMember,
): Promise<readonly { readonly kind: string }[]> =>
  db.kysely
    .selectFrom('identity_change')
    .select('kind')
    .where('customer_id', '=', customerId)
    .orderBy('at')
    .execute();

export const customerRow = ({ db }: World, id: string): Promise<Selectable<CustomerTable>> =>
  db.kysely.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
