/** The cafés of simulations: shops of many branches, of which each simulation gets one that nobody has used. */
import { importShops } from '../../../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../../../src/kernel/ids.ts';
import { makeCard } from '../../../../src/loyalty/app/card.ts';
import { postEntry } from '../../../../src/loyalty/store/ledger.ts';
import { insert } from '../../database/rows.ts';
import { newId } from '../../database/ids.ts';
import { aGuest } from '../../people/guests.ts';
import { aMember, personId, setPasswordAndSignIn, type SignedIn } from '../../people/staff.ts';
import { aProgramme } from '../../people/reward-members.ts';
import {
  aBranch,
  aShopFile,
  aTable,
  branchId,
  openShops,
  shopId,
  tableId,
  thingId,
} from '../../shops/cafe.ts';
import type { World } from '../../server/world.ts';

/** Every history begins then, three hours before the business day ends in Cairo. */
export const BEGIN = Date.parse('2026-11-20T00:00:00Z');

/** Branches of a shop. One import of 25 costs as much as three of one. */
const BRANCHES = 25;

/** An odd price shows a rounding that is wrong. Cake and juice are counted. */
export const ITEMS = {
  tea: { price: 1_505, stock: null },
  cake: { price: 3_025, stock: 6 },
  juice: { price: 2_000, stock: 9 },
  latte: { price: 6_015, stock: null },
} as const satisfies Record<string, { readonly price: number; readonly stock: number | null }>;
export type ItemKey = keyof typeof ITEMS;
export const ITEM_KEYS = Object.keys(ITEMS) as readonly ItemKey[];

export const PEOPLE = ['manager', 'teller'] as const;
export type PersonKey = (typeof PEOPLE)[number];

/** Of tickets at a table, in per cent. */
export const SERVICE_PERCENT = 10;

/** In per cent, of what is sold; it is in the prices. Of service there is none. */
const TAX_PERCENT = 14;

/** Halves away from zero (Decisions 7.6). */
export const taxIn = (amount: number): number => amount - Math.round((amount * 100) / (100 + TAX_PERCENT));

/** A free tea. */
export const REWARD_COST = 20;
const VOUCHER_LIMIT = 2 * REWARD_COST;

const KEYS = Array.from({ length: BRANCHES }, (_, index) => `b${index}`);

/** How the menu of the shop differs from how it began. */
export interface MenuChange {
  readonly prices: Readonly<Partial<Record<ItemKey, number>>>;
  readonly archived: readonly ItemKey[];
}

const UNCHANGED: MenuChange = { prices: {}, archived: [] };

const itemsOf = ({ prices, archived }: MenuChange): ShopFile['menu']['items'] =>
  ITEM_KEYS.filter((key) => !archived.includes(key)).map((key) => {
    const { price, stock } = ITEMS[key];
    const counted = stock === null ? {} : { availability: KEYS.map((branch) => ({ branch, stock })) };
    return {
      key,
      name: { ar: `صنف ${key}`, en: key },
      category: 'all',
      price: prices[key] ?? price,
      ...counted,
    };
  });

/** Prices contain the tax; three juices cost 5,000. */
const shopFile = (slug: string, change: MenuChange): ShopFile =>
  aShopFile({
    slug,
    loyalty: aProgramme({
      offline_limit: VOUCHER_LIMIT,
      rewards: [
        {
          ...{ key: 'tea', name: { ar: 'شاي هدية', en: 'A free tea' }, cost: REWARD_COST },
          items: [{ item: 'tea' }],
        },
      ],
    }),
    branches: KEYS.map((key, index) =>
      aBranch({
        ...{ key, code: `B${index}`, name: { ar: key, en: key } },
        tables: [aTable('t1', 4), aTable('t2', 4)],
        service_charge: { rate: SERVICE_PERCENT / 100 },
        tax: { rate: TAX_PERCENT / 100, inclusive: true },
      }),
    ),
    menu: {
      categories: [{ key: 'all', name: { ar: 'الكل', en: 'All' } }],
      items: itemsOf(change) ?? [],
      deals: [
        {
          key: 'juices',
          name: { ar: 'عصير', en: 'Juices' },
          kind: 'n_for_price',
          qty: 3,
          price: 5_000,
          pool: [{ item: 'juice' }],
        },
      ],
    },
    staff: [
      aMember('owner', 'owner', {}, slug),
      ...KEYS.flatMap((branch) =>
        PEOPLE.map((role) => aMember(`${role}-${branch}`, role, { branches: [branch] }, slug)),
      ),
    ],
  });

export interface Place {
  readonly slug: string;
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly tables: readonly Uuid[];
  /** The card of the only guest who has one. */
  readonly card: { readonly id: Uuid; readonly memberToken: string; readonly firstPoints: number };
  readonly owner: SignedIn;
  readonly personId: (person: PersonKey) => Uuid;
  readonly itemId: (item: ItemKey) => Uuid;
  /** Of a free tea. */
  readonly rewardId: Uuid;
  /** Imports the shop with this menu. */
  readonly change: (world: World, change: MenuChange) => Promise<void>;
  /** Pairs devices; their tokens. */
  readonly pair: (
    world: World,
    count: number,
  ) => Promise<readonly { readonly id: Uuid; readonly token: string }[]>;
}

interface Shop {
  readonly slug: string;
  readonly owner: SignedIn;
  free: string[];
  isChanged: boolean;
}

const pairDevices = async (world: World, orgId: Uuid, branch: Uuid, count: number) => {
  const made = Array.from({ length: count }, () => ({ id: newId(), token: world.app.tokens.make('till') }));
  const at = new Date(world.now).toISOString();
  const rows = made.map(({ id, token }) => ({
    ...{
      org_id: orgId,
      id,
      branch_id: branch,
      label: 'الكاشير',
      created_at: at,
      paired_at: at,
      last_used_at: at,
    },
    token_hash: `\\x${world.app.tokens.hashOf(token).toString('hex')}`,
  }));
  await insert(world.db.kysely, 'staff_device', ...rows);
  return made;
};

const aCardWithPoints = async (world: World, orgId: Uuid, firstPoints: number): Promise<Place['card']> => {
  const card = await makeCard(world.app, orgId, { phone: aGuest().typed, name: 'منى السيد' });
  if (card === null) throw new Error('The guest has a card already.');
  const points = { mode: 'points', reason: 'adjusted', wanted: firstPoints } as const;
  await postEntry(world.db.kysely, { orgId, id: newId(), cardId: card.id, ...points }, world.now);
  return { ...card, firstPoints };
};

let opened = 0;

/** Gives out branches that nobody has used, each once, under the menu with which its shop began. */
export class Places {
  #shop: Shop | null = null;

  async #open(world: World): Promise<Shop> {
    const slug = `sim-${(opened += 1)}`;
    await openShops(world, shopFile(slug, UNCHANGED));
    const owner = await setPasswordAndSignIn(world, 'owner', slug);
    return (this.#shop = { slug, owner, free: [...KEYS], isChanged: false });
  }

  /** `firstPoints`: of the card. */
  async next(world: World, firstPoints: number): Promise<Place> {
    const before = this.#shop;
    const shop = before === null || before.free.length === 0 ? await this.#open(world) : before;
    if (shop.isChanged) await openShops(world, shopFile(shop.slug, UNCHANGED));
    shop.isChanged = false;
    const key = shop.free.shift() ?? '';
    const [orgId, branch] = [shopId(shop.slug), branchId(key, shop.slug)];
    return {
      ...{ slug: shop.slug, orgId, branchId: branch, owner: shop.owner },
      tables: ['t1', 't2'].map((table) => tableId(table, key, shop.slug)),
      card: await aCardWithPoints(world, orgId, firstPoints),
      personId: (person) => personId(`${person}-${key}`, shop.slug),
      itemId: (item) => thingId('item', item, shop.slug),
      rewardId: thingId('reward', 'tea', shop.slug),
      pair: (to, count) => pairDevices(to, orgId, branch, count),
      change: async (to, change) => {
        shop.isChanged = true;
        const text = JSON.stringify(shopFile(shop.slug, change));
        await importShops(to.app, [{ name: `${shop.slug}.json`, text }], { state: false });
        await to.hearOfChanges();
      },
    };
  }
}
