/** Amounts of an order equal its quote, and all sums add up. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../src/shops/domain/shop.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { anyCart } from '../support/shops/any-cart.ts';
import {
  aGuest,
  destinationOn,
  orderOn,
  placed,
  PLACES,
  refusedAndNothing,
  type Order,
} from '../support/people/guests.ts';
import {
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  line,
  meal,
  quoteOf,
  type CartQuote,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

let world: World;

/** 14.5 %, so that halves must be rounded. */
const TAXES = {
  inside: { tax: { rate: 0.145, inclusive: true }, delivery_fee_taxable: false },
  'inside-all': { tax: { rate: 0.145, inclusive: true }, delivery_fee_taxable: true },
  added: { tax: { rate: 0.145, inclusive: false }, delivery_fee_taxable: false },
  'added-all': { tax: { rate: 0.145, inclusive: false }, delivery_fee_taxable: true },
} as const;
type Branch = keyof typeof TAXES;
const BRANCHES = Object.keys(TAXES) as Branch[];

const deals = [
  {
    key: 'pair',
    name: { ar: 'اتنين بـ ٨٠', en: 'Two for 80' },
    kind: 'n_for_price' as const,
    qty: 2,
    price: 8000,
    pool: [{ item: 'turkish' }],
  },
  {
    ...{ key: 'sweet', name: 'حلو مع القهوة', kind: 'buy_get' as const, qty: 2, get_qty: 1, get_percent: 33 },
    ...{ pool: [{ category: 'coffee' }], reward_pool: [{ item: 'cake' }], max_per_order: 2 },
  },
];

const shop = (turkish = 4500) => {
  const menu = aQuotingMenu();
  return aQuotingShop({
    branches: BRANCHES.map((key, index) =>
      aQuotingBranch({
        ...{
          key,
          code: `B${index}`,
          otp_required: false,
          location: { lat: 30.06, lng: 31.22 },
          ...TAXES[key],
        },
        channels: { pickup: {}, in_mall: { fee: 1050 }, umbrella: { fee: 999 }, outside: { fee: 2505 } },
      }),
    ),
    menu: {
      ...menu,
      items: (menu.items ?? []).map((one) => (one.key === 'turkish' ? { ...one, price: turkish } : one)),
      deals,
      discounts: [
        {
          key: 'spring',
          name: { ar: 'خصم الربيع', en: 'Spring' },
          percent: 14.5,
          on: [{ channel: 'outside' }],
        },
        { key: 'beach', name: 'خصم الشط', amount: 6000, on: [{ channel: 'umbrella' }] },
      ],
    },
  });
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shop());
});
afterAll(() => world.close());

// ── Sums ────────────────────────────────────────────────────────────────────────────────────────

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
type FrozenLine = Order['cart']['lines'][number];

/** Before deals. */
const worthOf = (one: FrozenLine): number => {
  const making =
    sum(one.addons.map((added) => added.unit_price * added.quantity)) +
    sum(one.optionals.map(({ price }) => price));
  if (one.combo === null) {
    expect(one.addons_total).toBe(making);
    return (one.unit_price + making) * one.quantity;
  }
  const parts = one.combo.parts.map((part) => {
    expect(part.line_total).toBe(part.combo_share + part.combo_surcharge);
    return part.line_total;
  });
  expect(sum(parts)).toBe(one.combo.unit_total * one.quantity);
  expect(sum(one.combo.parts.map(({ combo_share }) => combo_share))).toBe(one.combo.price * one.quantity);
  return sum(parts) + sum(one.combo.parts.map(({ addons_total }) => addons_total)) + making * one.quantity;
};

/** 14.5 % inside or on top, halves away from zero. */
const taxIn = (amount: number): number => amount - Math.floor((2 * amount * 1000 + 1145) / (2 * 1145));
const taxOn = (amount: number): number => Math.floor((2 * amount * 145 + 1000) / 2000);

const addsUp = (order: Order, branch: Branch, quote: CartQuote): void => {
  const { lines, deals: applied } = order.cart;
  for (const one of lines) expect(one.line_total).toBe(worthOf(one) - one.deal_discount);
  expect(sum(lines.map(({ line_total }) => line_total))).toBe(order.subtotal);
  expect(order.subtotal).toBe(quote.total_after_deals);
  lines.forEach((one, index) =>
    expect(one.deal_discount).toBe(
      sum(
        applied.flatMap((deal) =>
          deal.lines.filter((part) => part.line_index === index).map(({ discount }) => discount),
        ),
      ),
    ),
  );
  expect(applied).toEqual(quote.deals);

  const { tax, delivery_fee_taxable: isFeeTaxed } = TAXES[branch];
  const base = order.subtotal - order.discount_amount;
  const taxed = base + (isFeeTaxed ? order.delivery_fee : 0);
  expect(order.tax_amount).toBe(tax.inclusive ? taxIn(taxed) : taxOn(taxed));
  expect(order.total).toBe(base + order.delivery_fee + (tax.inclusive ? 0 : order.tax_amount));
  expect(order).toMatchObject({
    ...{
      discount_amount: quote.discount_amount,
      tax_inclusive: quote.tax_inclusive,
      tax_rate_applied: 0.145,
    },
    ...{ service_charge_amount: 0, service_charge_rate_applied: 0 },
  });
  expect([quote.order_total, quote.order_tax_amount]).toEqual([order.total, order.tax_amount]);
  // Taxed fees with added tax increase the total by more than the fee.
  const isFeeOnTop = isFeeTaxed && !tax.inclusive;
  expect(order.total - order.delivery_fee - quote.total).toBe(
    isFeeOnTop ? order.tax_amount - quote.tax_amount : 0,
  );
};

const feeAt = async (branch: Branch, channel: OnlineChannel): Promise<number> => {
  const { customer_lat: lat, customer_lng: lng } = PLACES[channel];
  const place = lat === undefined ? '' : `&lat=${lat}&lng=${lng}`;
  const quote: ReadOf<'quoteDelivery'> = await world.read(
    'quoteDelivery',
    `/public/branches/${branchId(branch)}/delivery-quote?channel=${channel}${place}`,
  );
  return quote.fee ?? -1;
};

describe('any cart', () => {
  test('has the same amounts in quote, order and tracking, and its lines add up', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyCart,
        fc.constantFrom(...BRANCHES),
        fc.constantFrom(...ONLINE_CHANNELS),
        async (items, branch, channel) => {
          const at = { address: atBranch(branch), channel, ...destinationOn(channel) };
          const quote = await quoteOf(world, items, at);
          const order = await placed(
            world,
            orderOn(channel, { branch_id: branchId(branch), customer_phone: aGuest().typed, items }),
          );
          expect(order.delivery_fee).toBe(await feeAt(branch, channel));
          expect([quote.order_total, quote.delivery?.fee]).toEqual([order.total, order.delivery_fee]);
          addsUp(order, branch, quote);
          expect(
            order.cart.lines.map((one) => [
              one.name,
              one.size_label,
              one.quantity,
              one.unit_price,
              one.deal_discount,
            ]),
          ).toEqual(
            quote.lines.map((one) => [
              one.name,
              one.size_label,
              one.quantity,
              one.unit_price,
              one.deal_discount,
            ]),
          );
          const shown = await world.read('trackOrder', `/public/delivery-orders/${order.id}/track`);
          for (const figure of [
            'subtotal',
            'discount_amount',
            'delivery_fee',
            'tax_amount',
            'total',
          ] as const)
            expect(shown[figure]).toBe(order[figure]);
          expect(shown.items?.map(({ line_total }) => line_total)).toEqual(
            order.cart.lines.map(({ line_total }) => line_total),
          );
          // The quoted total is accepted.
          const again = orderOn(channel, {
            branch_id: branchId(branch),
            customer_phone: aGuest().typed,
            items,
          });
          expect((await placed(world, { ...again, quoted_total: order.total })).total).toBe(order.total);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a quoted_total that differs', () => {
  test('is QUOTE_CHANGED with the current price and without side effects', async () => {
    const items = [line('turkish', { quantity: 3 }), meal()];
    const order = orderOn('outside', {
      branch_id: branchId('added-all'),
      customer_phone: aGuest().typed,
      items,
    });
    const { total } = await placed(world, order);
    for (const quoted_total of [total - 1, total + 1, 0, 2_147_483_647]) {
      const quote = await quoteOf(world, items, { address: atBranch('added-all'), channel: 'outside' });
      expect(await refusedAndNothing(world, { ...order, quoted_total })).toMatchObject({
        ...{ status: 409, code: 'QUOTE_CHANGED' },
        vars: { total, delivery_fee: 2505, lines: quote.lines },
      });
    }
    await openShops(world, shop(4700));
    const refusal = await refusedAndNothing(world, { ...order, quoted_total: total });
    const next = Number(refusal.vars?.['total']);
    expect(next).not.toBe(total);
    await openShops(world, shop());
    expect(await refusedAndNothing(world, { ...order, quoted_total: next })).toMatchObject({
      vars: { total },
    });
    expect((await placed(world, { ...order, quoted_total: total })).total).toBe(total);
  });
});

describe('the discount of a channel', () => {
  const at = { branch_id: branchId('inside'), items: [line('cake', { quantity: 1 })] };

  test('is the same on order and menu when it is a percentage', async () => {
    const order = await placed(world, orderOn('outside', { ...at, customer_phone: aGuest().typed }));
    const { discount } = await world.read(
      'getBranchMenu',
      `/public/branches/${branchId('inside')}/menu?channel=outside`,
    );
    expect(order).toMatchObject({
      ...{ subtotal: 6000, discount_amount: 870, discount_type: 'percentage', discount_rate: 0.145 },
      ...{ discount_id: thingId('discount', 'spring'), discount_value: 15 },
    });
    expect(order.discount_value).toBe(discount?.value);
    expect(order.discount_rate).toBe(discount?.value_rate);
  });

  test('is at most the subtotal when it is an amount, and never lowers the fee', async () => {
    const order = await placed(world, orderOn('umbrella', { ...at, customer_phone: aGuest().typed }));
    expect(order).toMatchObject({
      ...{
        subtotal: 6000,
        discount_amount: 6000,
        discount_type: 'fixed',
        discount_value: 6000,
        discount_rate: 0,
      },
      ...{ delivery_fee: 999, total: 999 },
    });
  });

  test('is zero on a channel without a discount', async () => {
    expect(await placed(world, orderOn('pickup', { ...at, customer_phone: aGuest().typed }))).toMatchObject({
      ...{ discount_amount: 0, discount_id: null, discount_type: null, discount_value: 0, discount_rate: 0 },
    });
  });
});
