/** Menu replies: channels, content and expiry. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getBranchMenu, getTableMenu } from '../../src/menu/app/menu.ts';
import { insert, insertLocated, insertShop, type Row } from '../support/database/rows.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ORG = id(1);
const OFF_ORG = id(2);
const [ZAMALEK, CLOSED_DOWN, RETIRED, OF_OFF_SHOP] = [id(11), id(12), id(13), id(14)];
const [TABLE, OLD_TABLE, OFF_TABLE] = [id(15), id(16), id(17)];
const HOT = id(21);
const [LATTE, BREAKFAST, MEAL] = [id(31), id(32), id(33)];
const [WHOLE, OAT, SYRUP] = [id(41), id(42), id(43)];
const [MILKS, SLOT, DEAL, DISCOUNT] = [id(51), id(61), id(71), id(81)];

/** Thursday 2026-07-02 in Cairo (UTC+3). */
const cairo = (wall: string): number => Date.parse(`2026-07-02T${wall}:00+03:00`);
const ARCHIVED = { archived_at: '2026-01-02T00:00:00Z' };

let world: World;

const add = (table: string, ...rows: readonly Row[]): Promise<void> =>
  insert(world.db.kysely, table, ...rows.map((row) => ({ org_id: ORG, ...row })));
const addLocated = (kind: string, table: string, ...rows: readonly Row[]): Promise<void> =>
  insertLocated(world.db.kysely, kind, table, ...rows.map((row) => ({ org_id: ORG, ...row })));

const addPlaces = async (): Promise<void> => {
  await insertShop(world.db.kysely, ORG, 'beit-el-bunn');
  await insertShop(world.db.kysely, OFF_ORG, 'kashk', { is_active: false });
  await addLocated('branch', 'branch', { id: ZAMALEK, name: 'الزمالك', code: 'ZM' });
  await addLocated('branch', 'branch', { id: CLOSED_DOWN, name: 'x', code: 'X', is_active: false });
  await addLocated('branch', 'branch', { id: RETIRED, name: 'y', code: 'Y', ...ARCHIVED });
  await addLocated('branch', 'branch', { org_id: OFF_ORG, id: OF_OFF_SHOP, name: 'z', code: 'Z' });
  await addLocated('table', 'dining_table', { id: TABLE, branch_id: ZAMALEK, label: 'ط4', seats_max: 4 });
  await addLocated('table', 'dining_table', {
    id: OLD_TABLE,
    branch_id: ZAMALEK,
    label: 'ط5',
    seats_max: 4,
    ...ARCHIVED,
  });
  await addLocated('table', 'dining_table', {
    org_id: OFF_ORG,
    id: OFF_TABLE,
    branch_id: OF_OFF_SHOP,
    label: 'ط1',
    seats_max: 2,
  });
  await add('branch_channel', { branch_id: ZAMALEK, channel: 'pickup' });
  await add('branch_channel', { branch_id: ZAMALEK, channel: 'outside', enabled: false });
  await add('branch_channel', { branch_id: ZAMALEK, channel: 'umbrella', mode: 'closed' });
  const days = [0, 1, 2, 3, 4, 5, 6];
  const online = { branch_id: ZAMALEK, service: 'online', opens: 600, closes: 1320 };
  await add('opening_hours', ...days.map((dow) => ({ ...online, dow })));
};

const addThings = async (): Promise<void> => {
  await add('category', { id: HOT, name: 'ساخن', name_translations: { en: 'Hot' }, sort: 1 });
  const addon = { type: 'milk_type', name_translations: {} };
  await add(
    'addon',
    { ...addon, id: WHOLE, name: 'كامل الدسم', sort: 1 },
    { ...addon, id: OAT, name: 'شوفان', name_translations: { en: 'Oat' }, sort: 2 },
    { ...addon, id: SYRUP, name: 'شراب', type: 'extra', sort: 3 },
  );
  await add('menu_item', {
    id: LATTE,
    category_id: HOT,
    name: 'لاتيه',
    name_translations: { en: 'Latte' },
    sort: 1,
    default_milk_addon_id: WHOLE,
    meal_combo_id: MEAL,
    meal_slot_id: SLOT,
  });
  await add('menu_item', { id: BREAKFAST, name: 'فول', description: 'بالزيت الحار', sort: 2 });
  await add('menu_item', { id: MEAL, kind: 'combo', name: 'لاتيه وكرواسون', sort: 3, sell_qr: false });
  const size = { item_id: LATTE, label_translations: {} };
  await add(
    'item_size',
    { ...size, label: 'وسط', label_translations: { en: 'Medium' }, sort: 1 },
    { ...size, label: 'كبير', sort: 2 },
  );
  await add('modifier_group', {
    id: MILKS,
    name: 'اللبن',
    selection_type: 'single',
    min_selections: 1,
    max_selections: 1,
    is_required: true,
    addon_type: 'milk_type',
  });
  const options = [WHOLE, OAT].map((addon_id, sort) => ({ group_id: MILKS, addon_id, sort }));
  await add('modifier_option', ...options);
  await add('item_modifier_group', { item_id: LATTE, group_id: MILKS, sort: 1 });
  await add('combo_slot', { id: SLOT, combo_id: MEAL, name: 'المشروب', sort: 1, default_item_id: LATTE });
  await add('combo_choice', { slot_id: SLOT, item_id: LATTE, included_size_label: 'وسط', sort: 1 });
};

const addSales = async (): Promise<void> => {
  const price = { size_label: '', branch_id: null, channel: null };
  await add(
    'price',
    { ...price, subject_id: LATTE, size_label: 'وسط', amount: 6000 },
    { ...price, subject_id: LATTE, size_label: 'كبير', amount: 7500 },
    { ...price, subject_id: LATTE, size_label: 'وسط', channel: 'pickup', amount: 6500 },
    { ...price, subject_id: LATTE, size_label: 'وسط', branch_id: ZAMALEK, amount: 6200 },
    { ...price, subject_id: BREAKFAST, amount: 3000 },
    { ...price, subject_id: MEAL, amount: 9000 },
    { ...price, subject_id: WHOLE, amount: 500 },
    { ...price, subject_id: OAT, amount: 2000 },
    { ...price, subject_id: SYRUP, amount: 1000 },
  );
  await add('sale_window', { subject_id: BREAKFAST, sort: 1, starts_at: 420, ends_at: 780 });
  await add('availability', {
    subject_id: OAT,
    branch_id: ZAMALEK,
    sold_out_until: new Date(cairo('15:00')).toISOString(),
  });
  const stamps = { created_at: '2026-05-01T10:00:00Z', updated_at: '2026-05-02T10:00:00Z' };
  const deal = { id: DEAL, name: 'ثلاثة بمئة', kind: 'n_for_price', qty: 3, price: 10_000, sort: 1 };
  await add('deal', { ...deal, ...stamps });
  await add('deal_pool', { deal_id: DEAL, role: 'pool', sort: 1, category_id: HOT });
  await add('sale_window', { subject_id: DEAL, sort: 1, weekdays: 16, starts_at: 600, ends_at: 1080 });
  await add('discount', { id: DISCOUNT, name: 'خصم', dtype: 'percentage', rate: 0.125 });
  await add('channel_discount', { channel: 'pickup', discount_id: DISCOUNT });
};

beforeAll(async () => {
  world = await makeWorld();
  await addPlaces();
  await addThings();
  await addSales();
});
beforeEach(() => {
  world.now = cairo('12:00');
});
afterAll(() => world.close());

const menuAddress = (branch: string, query = ''): string => `/public/branches/${branch}/menu${query}`;

describe('which channel answers', () => {
  test.each([
    ['eating in, always', '', '03:00', 200, undefined],
    ['eating in by name', '?channel=dine_in', '03:00', 200, undefined],
    ['eating in, previewed', '?channel=dine_in&preview=true', '12:00', 200, undefined],
    ['pickup while it is open', '?channel=pickup', '12:00', 200, undefined],
    ['pickup at the minute it opens', '?channel=pickup', '10:00', 200, undefined],
    ['not pickup at the minute it closes', '?channel=pickup', '22:00', 409, 'CHANNEL_CLOSED'],
    ['pickup while it is closed, previewed', '?channel=pickup&preview=true', '23:00', 200, undefined],
    ['not pickup while it is closed', '?channel=pickup&preview=false', '23:00', 409, 'CHANNEL_CLOSED'],
    ['not a channel that is switched off', '?channel=outside', '12:00', 404, 'CHANNEL_NOT_OFFERED'],
    ['preview or not', '?channel=outside&preview=true', '12:00', 404, 'CHANNEL_NOT_OFFERED'],
    ['not one that the branch does not have', '?channel=in_mall', '12:00', 404, 'CHANNEL_NOT_OFFERED'],
    ['nor one that does not exist', '?channel=delivery', '12:00', 400, undefined],
  ])('%s', async (_, query, wall, status, code) => {
    world.now = cairo(wall);
    const reply = await world.get(menuAddress(ZAMALEK, query));
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject(code === undefined ? {} : { code });
  });

  test('a closed channel has opens_at when its next opening is known', async () => {
    world.now = cairo('23:00');
    expect((await world.get(menuAddress(ZAMALEK, '?channel=pickup'))).body).toMatchObject({
      vars: { channel: 'pickup', opens_at: '2026-07-03T07:00:00.000Z' },
    });
    const paused = await world.get(menuAddress(ZAMALEK, '?channel=umbrella'));
    expect(paused.body).toMatchObject({ code: 'CHANNEL_CLOSED', vars: { channel: 'umbrella' } });
    expect(paused.text).not.toContain('opens_at');
  });

  test('unknown, inactive and archived branches and those of a switched-off shop answer the same 404', async () => {
    const replies = await Promise.all(
      [id(999), CLOSED_DOWN, RETIRED, OF_OFF_SHOP].map((branch) => world.get(menuAddress(branch))),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });
});

describe('the content of a menu', () => {
  test('pickup at noon has its prices, combo, deal, discount and a sold-out milk', async () => {
    const { body } = await world.get(menuAddress(ZAMALEK, '?channel=pickup'));
    expect(body).toMatchObject({
      categories: [{ id: HOT, name: 'ساخن', name_translations: { en: 'Hot' }, image_url: null }],
      items: [
        {
          id: LATTE,
          kind: 'item',
          name: 'لاتيه',
          name_translations: { en: 'Latte' },
          category_id: HOT,
          price: 6500,
          sizes: [
            { label: 'وسط', label_translations: { en: 'Medium' }, price: 6500 },
            { label: 'كبير', price: 7500 },
          ],
          allowed_addon_ids: [],
          default_milk_addon_id: WHOLE,
          default_coffee_addon_id: null,
          modifier_groups: [
            {
              group_id: MILKS,
              selection_type: 'single',
              min_selections: 1,
              max_selections: 1,
              is_required: true,
              addon_type: 'milk_type',
              options: [
                { option_id: WHOLE, price: 500, charge: 0, is_available: true },
                { option_id: OAT, name: 'شوفان', price: 2000, charge: 1500, is_available: false },
              ],
            },
          ],
          meal: { combo_id: MEAL, slot_id: SLOT },
        },
        {
          id: BREAKFAST,
          price: 3000,
          sizes: [],
          category_id: null,
          description: 'بالزيت الحار',
          addon_charges: { [WHOLE]: 500, [OAT]: 2000, [SYRUP]: 1000 },
        },
        {
          id: MEAL,
          kind: 'combo',
          price: 9000,
          combo: {
            is_fixed: true,
            slots: [
              {
                id: SLOT,
                min: 1,
                max: 1,
                default_item_id: LATTE,
                default_size_label: null,
                choices: [
                  {
                    menu_item_id: LATTE,
                    available: true,
                    base_price: 6500,
                    included_size_label: 'وسط',
                    surcharge: 0,
                    sizes: [
                      { label: 'وسط', price: 6500, extra: 0 },
                      { label: 'كبير', price: 7500, extra: 1000 },
                    ],
                  },
                ],
              },
            ],
          },
        },
      ],
      addons: [
        { addon_item_id: WHOLE, type: 'milk_type', price: 500, is_available: true },
        { addon_item_id: OAT, price: 2000, is_available: false },
        { addon_item_id: SYRUP, type: 'extra' },
      ],
      deals: [
        {
          id: DEAL,
          kind: 'n_for_price',
          qty: 3,
          price: 10_000,
          is_active: true,
          pool: [{ category_id: HOT, menu_item_id: null, size_label: null }],
          reward_pool: [],
          windows: [
            { branch_id: null, weekdays: 16, starts_at: '10:00', ends_at: '18:00', valid_from: null },
          ],
          branch_overrides: [],
          created_at: '2026-05-01T10:00:00.000Z',
        },
      ],
      discount: { id: DISCOUNT, dtype: 'percentage', value: 13, value_rate: 0.125 },
    });
  });

  test('dine-in at noon has the branch’s prices, no combo with qr off, no meal and no discount', async () => {
    for (const address of [menuAddress(ZAMALEK), `/public/tables/${TABLE}/menu`]) {
      const { status, body } = await world.get(address);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        items: [{ id: LATTE, price: 6200, sizes: [{ price: 6200 }, { price: 7500 }] }, { id: BREAKFAST }],
        deals: [{ id: DEAL }],
        discount: null,
      });
      expect(JSON.stringify(body)).not.toContain('"meal"');
    }
  });

  test('an item leaves the menu at the end of its sale window', async () => {
    world.now = cairo('13:00') - 1000;
    expect((await world.get(menuAddress(ZAMALEK))).text).toContain(BREAKFAST);
    world.now = cairo('13:00');
    expect((await world.get(menuAddress(ZAMALEK))).text).not.toContain(BREAKFAST);
  });

  test.each([
    ['unknown', id(998)],
    ['archived', OLD_TABLE],
    ['of a shop that is off', OFF_TABLE],
  ])('the menu of a table that is %s is 404', async (_, table) => {
    expect((await world.get(`/public/tables/${table}/menu`)).status).toBe(404);
  });
});

describe('the validity of a menu', () => {
  const until = async (query: Parameters<ReturnType<typeof getBranchMenu>>[0]['query'], wall: string) => {
    world.now = cairo(wall);
    return (await getBranchMenu(world.app)({ path: { id: ZAMALEK }, query })).validUntil;
  };

  test('ends at the next edge of a sale window, a snooze or a deal', async () => {
    expect(await until({}, '12:00')).toBe(cairo('13:00'));
    expect(await until({}, '13:00')).toBe(cairo('15:00'));
    expect(await until({ channel: 'pickup' }, '15:00')).toBe(cairo('18:00'));
  });

  test('ends when the channel closes, except for a preview and dine-in', async () => {
    expect(await until({ channel: 'pickup' }, '19:00')).toBe(cairo('22:00'));
    const breakfast = cairo('07:00') + 24 * 3_600_000;
    expect(await until({ channel: 'pickup', preview: true }, '19:00')).toBe(breakfast);
    expect(await until({ channel: 'dine_in' }, '19:00')).toBe(breakfast);
  });

  test('a menu depends on its shop and branch, at the version of the shop', async () => {
    const answer = await getTableMenu(world.app)({ path: { id: TABLE }, query: {} });
    expect(answer).toMatchObject({ orgId: ORG, scopes: ['shop', `branch:${ZAMALEK}`], version: 0 });
  });
});
