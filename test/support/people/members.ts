/** Members: guests who join a shop's programme over HTTP. */
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { Reply } from '../server/http-client.ts';
import { done, post } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';
import { aShopFile, shopId } from '../shops/cafe.ts';
import { MONA, proveOn, type Guest } from './guests.ts';

export type JoinInput = BodyOf<EndpointOf<'joinLoyalty'>>;
export type JoinResult = ReadOf<'joinLoyalty'>;
export type Programme = NonNullable<ShopFile['loyalty']>;

/** Points without codes, and one reward of 100. */
export const aProgramme = (overrides: Partial<Programme> = {}): Programme => ({
  enabled: true,
  mode: 'points',
  program_name: { ar: 'نادي البن', en: 'Bean club' },
  require_otp: false,
  rewards: [{ key: 'coffee', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, cost: 100 }],
  ...overrides,
});

/** The café with a programme. */
export const aShopWithCards = (programme: Partial<Programme> = {}, shop: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({ loyalty: aProgramme(programme), ...shop });

export const aJoin = (overrides: Partial<JoinInput> = {}): JoinInput => ({
  ...{ org_id: shopId(), name: 'منى السيد', phone: MONA.typed },
  ...overrides,
});

export const join = (
  world: World,
  input: unknown = aJoin(),
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => post(world, '/public/loyalty/join', input, headers);

/** A join that must be accepted. */
export const joined = async (world: World, overrides: Partial<JoinInput> = {}): Promise<JoinResult> =>
  done('joinLoyalty', await join(world, aJoin(overrides)));

/** Joins with a proven phone; returns the `member_token`. */
export const aMember = async (
  world: World,
  guest: Guest = MONA,
  overrides: Partial<JoinInput> = {},
): Promise<string> => {
  const device_token = await proveOn(world, guest);
  return tokenIn(await joined(world, { phone: guest.typed, device_token, ...overrides }));
};

/** Throws without one. */
export const tokenIn = ({ member_token }: JoinResult): string => {
  if (typeof member_token !== 'string') throw new Error('no member token');
  return member_token;
};

export const cardAddress = (token: string, what = ''): string => `/public/loyalty/card/${token}${what}`;

export const cardOf = async (world: World, token: string): Promise<ReadOf<'getCard'>> =>
  world.read('getCard', cardAddress(token));
