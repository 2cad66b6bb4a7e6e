/** Laws of the response cache: a cached response equals a new read for its whole lifetime, and after any import. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../src/platform/app/answer.ts';
import { getBookingSlots } from '../../src/bookings/app/slots.ts';
import { getBranchMenu } from '../../src/menu/app/menu.ts';
import { trackOrder } from '../../src/orders/app/tracking.ts';
import { getBrand, getLinks, listBranches } from '../../src/shops/app/shop.ts';
import { getTableOnly } from '../../src/floor/app/dining-table.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { CHANNELS } from '../../src/shops/domain/shop.ts';
import { Refusal, REFUSALS } from '../../src/kernel/refusal.ts';
import { addDays, MINUTE } from '../../src/kernel/time.ts';
import { bookingSlots } from '../../src/doors/mcp/booking.ts';
import { shopMenu } from '../../src/doors/mcp/menu.ts';
import { orderStatus } from '../../src/doors/mcp/order.ts';
import { refusalText } from '../../src/doors/mcp/refuse.ts';
import { shopDetails } from '../../src/doors/mcp/shop.ts';
import type { ToolAnswer } from '../../src/doors/mcp/shorten.ts';
import type { ToolName } from '../../src/service/contract/tools.ts';
import { anyShopFile } from '../support/shops/any-shop-file.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { callTool } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

/** An address, and the same read by its use case. */
interface Question {
  readonly address: string;
  readonly fresh: () => Promise<Answer<unknown>>;
}

/** A tool call, and the same call of the tool's function. */
interface Call {
  readonly tool: ToolName;
  readonly args: object;
  readonly fresh: () => Promise<Answer<ToolAnswer<unknown>>>;
}

const START = '2026-10-28T10:00:00Z';
let world: World;
let questions: readonly Question[];
let calls: readonly Call[];

beforeAll(async () => {
  const made = await makeDemo({ now: START });
  world = made.world;
  const { shops, orders } = made.demo;
  const { app } = world;
  const branches = shops.flatMap((shop) => shop.branches);
  const dates = [-1, 0, 1, 2, 3].map((days) => addDays(START.slice(0, 10), days));
  questions = [
    ...shops.map(({ orgId: org_id }) => ({
      address: `/public/branches?org_id=${org_id}&browse=true`,
      fresh: () => listBranches(app)({ query: { org_id, browse: true } }),
    })),
    ...branches.flatMap(({ id }) =>
      CHANNELS.map((channel) => ({
        address: `/public/branches/${id}/menu?channel=${channel}`,
        fresh: () => getBranchMenu(app)({ path: { id }, query: { channel } }),
      })),
    ),
    ...branches.flatMap(({ id }) =>
      dates.map((date) => ({
        address: `/public/branches/${id}/booking-slots?date=${date}&party_size=4`,
        fresh: () => getBookingSlots(app, () => undefined)({ path: { id }, query: { date, party_size: 4 } }),
      })),
    ),
    ...orders.map(({ id }) => ({
      address: `/public/delivery-orders/${id}/track`,
      fresh: () => trackOrder(app)({ path: { id } }),
    })),
  ];
  const call = <A extends object>(
    tool: ToolName,
    run: (args: A) => Promise<Answer<ToolAnswer<unknown>>>,
    args: A,
  ): Call => ({ tool, args, fresh: () => run(args) });
  calls = [
    ...shops.flatMap(({ slug }) => [
      call('get_shop', shopDetails(app), { shop: slug }),
      call('get_menu', shopMenu(app), { shop: slug }),
    ]),
    ...branches.flatMap(({ id }) =>
      dates.flatMap((date) =>
        [4, 9].map((party_size) =>
          call('get_booking_slots', bookingSlots(app), { branch_id: id, date, party_size }),
        ),
      ),
    ),
    ...orders.map(({ id }) => call('track_order', orderStatus(app), { order_id: id })),
  ];
});
afterAll(() => world.close());

/** The status and body of a new read; of a refusal the status alone. */
const readFresh = async ({ fresh }: Question): Promise<readonly [number, string]> => {
  try {
    return [200, JSON.stringify((await fresh()).body)];
  } catch (thrown) {
    if (thrown instanceof Refusal) return [REFUSALS[thrown.refusal].status, ''];
    throw thrown;
  }
};

/** Within five days of the start, across the end of daylight saving time; half of them at or beside a boundary. */
const moment = fc.oneof(
  fc.integer({ min: 0, max: 5 * 1440 * MINUTE }),
  fc
    .tuple(fc.integer({ min: 0, max: 5 * 48 }), fc.constantFrom(-1, 0, 1))
    .map(([halfHours, beside]) => halfHours * 30 * MINUTE + beside),
);

const anyQuestion = fc.nat().map((index) => (): Question => {
  const question = questions[index % questions.length];
  if (question === undefined) throw new RangeError('no questions');
  return question;
});

test('a cached answer equals a new read at every instant', async () => {
  const sequence = fc.tuple(anyQuestion, fc.array(moment, { minLength: 2, maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(sequence, async ([pick, moments]) => {
      const question = pick();
      for (const after of moments) {
        world.now = Date.parse(START) + after;
        const { status, text } = await world.get(question.address);
        expect([status, status === 200 ? text : '']).toEqual(await readFresh(question));
      }
    }),
    { numRuns: 50 },
  );
});

test('a tool’s answer equals a new call at every instant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(moment, { minLength: 2, maxLength: 6 }), async (index, moments) => {
      const call = calls[index % calls.length];
      if (call === undefined) throw new RangeError('no calls');
      for (const after of moments) {
        world.now = Date.parse(START) + after;
        const { text, structured } = await callTool(world, call.tool, call.args);
        const fresh = await call.fresh().then(
          ({ body }) => ({ text: body.text, structured: body.structured }),
          (thrown: unknown) => ({ text: refusalText(thrown), structured: undefined }),
        );
        expect({ text, structured }).toEqual(fresh);
      }
    }),
    { numRuns: 50 },
  );
});

test('an answer equals a new read until its max-age ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyQuestion,
      moment,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (pick, after, part) => {
        const question = pick();
        world.now = Date.parse(START) + after;
        const { headers, text } = await world.get(question.address);
        const seconds = Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
        if (seconds === 0) return;
        world.now += Math.floor((seconds * 1000 - 1) * part);
        expect((await readFresh(question))[1]).toBe(text);
      },
    ),
    { numRuns: 80 },
  );
});

/** Every cacheable address of the shop, whatever its file contains. */
const everyQuestion = async ({ app, db }: World, slug: string): Promise<readonly Question[]> => {
  const orgId = shopId(slug);
  const idsIn = async (table: 'branch' | 'dining_table'): Promise<string[]> =>
    (await db.kysely.selectFrom(table).select('id').where('org_id', '=', orgId).execute()).map(
      ({ id }) => id,
    );
  const date = START.slice(0, 10);
  return [
    {
      address: `/public/orgs/brand?org_id=${orgId}`,
      fresh: () => getBrand(app)({ query: { org_id: orgId } }),
    },
    { address: `/public/orgs/links?slug=${slug}`, fresh: () => getLinks(app)({ query: { slug } }) },
    {
      address: `/public/branches?org_id=${orgId}`,
      fresh: () => listBranches(app)({ query: { org_id: orgId } }),
    },
    ...(await idsIn('branch')).flatMap((id) => [
      ...CHANNELS.map((channel) => ({
        address: `/public/branches/${id}/menu?channel=${channel}&preview=true`,
        fresh: () => getBranchMenu(app)({ path: { id }, query: { channel, preview: true } }),
      })),
      {
        address: `/public/branches/${id}/booking-slots?date=${date}&party_size=3`,
        fresh: () => getBookingSlots(app, () => undefined)({ path: { id }, query: { date, party_size: 3 } }),
      },
    ]),
    ...(await idsIn('dining_table')).map((id) => ({
      address: `/public/tables/${id}`,
      fresh: async () => {
        const { body, ...answer } = await getTableOnly(app)({ path: { id } });
        return { ...answer, body: { ...body, bill: null } };
      },
    })),
  ];
};

test('after any import every address of the shop answers like a new read', async () => {
  const owner = await makeWorld({ now: START });
  const slug = 'often-changed';
  const named = (file: ShopFile): ShopFile => ({ ...file, id: shopId(slug), slug, former_slugs: [] });
  const agree = async (): Promise<void> => {
    for (const question of await everyQuestion(owner, slug)) {
      const { status, text } = await owner.get(question.address);
      const actual = [question.address, status, status === 200 ? text : ''];
      expect(actual).toEqual([question.address, ...(await readFresh(question))]);
    }
  };
  try {
    await fc.assert(
      fc.asyncProperty(anyShopFile(), async (file) => {
        await openShops(owner, named(file));
        await agree();
      }),
      { numRuns: 6, endOnFailure: true },
    );
  } finally {
    await owner.close();
  }
});
