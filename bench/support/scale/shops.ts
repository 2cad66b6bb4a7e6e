/** Cafés with one or two branches, who works there, their paired tills, and guests with proven phones. */
import { Repeated } from '../../../src/platform/app/answer.ts';
import type { App } from '../../../src/platform/app/app.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { actorOf } from '../../../src/staff/app/access.ts';
import { SESSION_MS } from '../../../src/staff/app/sign-in.ts';
import { addSession } from '../../../src/staff/store/sessions.ts';
import { derivedId, shopIdOf } from '../../../src/shopfile/app/entity-ids.ts';
import { cafeBy, USUAL } from '../cafe.ts';
import { cafeShop } from '../cafe-shop.ts';
import { addShops } from '../data.ts';
import { guestOf, proveGuests, type Guest } from '../guests.ts';
import { handlersIn, type Handlers } from '../handlers.ts';
import { branchId, shopFile } from '../shop.ts';
import { CLIENTS, TURNS } from '../write-job.ts';

export const CAFE = cafeBy(1, USUAL, { items: 24, deals: 6 });

const COUNTED = 4;
const PLENTY = 1_000_000;
const IMPORTED_AT_ONCE = 50;

const slugOf = (shop: number): string => `bench-${shop}`;
const staffKey = (branch: number): string => `owner-${branch}`;
const branchesOf = (shop: number): number => 1 + (shop % 2);

/** A branch as the requests of its guests and staff need it. */
export interface Place {
  readonly slug: string;
  readonly branchId: string;
  /** Of an owner, who has an open till here. */
  readonly staffToken: string;
  readonly tillToken: string;
}

const cafe = (shop: number): ShopFile => {
  const file = cafeShop(slugOf(shop), CAFE);
  const { branches } = shopFile({
    ...{ slug: slugOf(shop), items: 0, tables: 0 },
    branches: branchesOf(shop),
  });
  const availability = branches.map((_, branch) => ({ branch: `branch-${branch}`, stock: PLENTY }));
  const items = (file.menu.items ?? []).map((item, index) =>
    index % COUNTED === 0 ? { ...item, availability } : item,
  );
  return {
    ...file,
    branches: branches.map((branch) => ({ ...branch, otp_required: true })),
    menu: { ...file.menu, items },
    staff: branches.map((_, branch) => ({
      ...{ key: staffKey(branch), name: `Owner ${branch}`, role: 'owner' as const },
      email: `${staffKey(branch)}@${slugOf(shop)}.example`,
    })),
  };
};

/** A session, as after a sign-in: hashing a thousand passwords would take minutes. */
const addSignedIn = async (
  { db, clock, random, tokens }: App,
  shop: number,
  branch: number,
): Promise<string> => {
  const [orgId, now, token] = [shopIdOf(slugOf(shop)), clock.now(), tokens.make('staff')];
  const staffId = derivedId(orgId, 'staff', orgId, { key: staffKey(branch) });
  const session = {
    ...{ tokenHash: tokens.hashOf(token), id: random.uuid(), orgId, staffId },
    deviceId: null,
  };
  await db.tx((tx) => addSession(tx, { ...session, now, expiresAt: now + SESSION_MS, passwordAt: now }));
  return token;
};

const placesOf = async (app: App, handlers: Handlers, shop: number): Promise<readonly Place[]> => {
  const places: Place[] = [];
  for (let branch = 0; branch < branchesOf(shop); branch += 1) {
    const staffToken = await addSignedIn(app, shop, branch);
    const actor = await actorOf(app)(staffToken);
    if (actor === null) throw new Error('The owner is signed out.');
    const branch_id = branchId(slugOf(shop), branch);
    const { pairing_code } = await handlers.makePairingCode({ body: { branch_id, label: 'till' }, actor });
    const { device_token: tillToken } = await handlers.pairDevice({ body: { pairing_code } });
    const till = await handlers.openTill({ body: { branch_id, opening_float: 0 }, headers: {}, actor });
    if (till instanceof Repeated) throw new Error('The till was opened before.');
    places.push({ ...{ slug: slugOf(shop), branchId: branch_id }, staffToken, tillToken });
  }
  return places;
};

/** Adds the shops and returns their branches. `onProgress`: shops that are there. */
export const addCafes = async (
  app: App,
  shops: number,
  onProgress: (shops: number) => void,
): Promise<readonly Place[]> => {
  const handlers = handlersIn(app);
  const places: Place[] = [];
  await proveGuests(app, 1);
  for (let from = 0; from < shops; from += IMPORTED_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(IMPORTED_AT_ONCE, shops - from) }, (_, n) => from + n);
    await addShops(app, ...numbers.map(cafe));
    for (const shop of numbers) places.push(...(await placesOf(app, handlers, shop)));
    onProgress(places.length);
  }
  return places;
};

/** Another guest each time, as long as there are any. */
export const guestBy = (order: number): Guest => {
  const turn = 4 * Math.floor(order / CLIENTS);
  return guestOf(0, order % CLIENTS, turn % TURNS);
};
