/** Tills of devices that went on without the server, and sales as such devices recorded them; without HTTP. */
import { commitAndPublish } from '../../../src/platform/app/commit.ts';
import { Meter } from '../../../src/platform/app/meter.ts';
import type { Applied, ApplyEvent, ReplayContext } from '../../../src/platform/app/replay.ts';
import { voidsOfTill } from '../../../src/floor/app/void.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import {
  closeTillOfDevice,
  moveCashOfDevice,
  openTillOfDevice,
} from '../../../src/sales/app/replay/till-events.ts';
import { bookSale } from '../../../src/sales/app/shared.ts';
import type { NewSale } from '../../../src/sales/domain/sale.ts';
import { insertRefund, type NewRefund } from '../../../src/sales/store/refund.ts';
import { newId } from '../database/ids.ts';
import type { World } from '../server/world.ts';
import { branchId, shopId, thingId } from '../shops/cafe.ts';
import { personId, type Person } from './staff.ts';

const CALLER = { client: 'device', meter: new Meter(() => 0) } as const;

interface DeviceOf {
  readonly deviceId: Uuid;
  readonly person?: Person;
  /** Key of the branch. */
  readonly branch?: string;
}

/** What a person did on a device at a moment, each event in a transaction of its own. */
export const tillEventsOn = (world: World, { deviceId, person = 'teller', branch = 'zamalek' }: DeviceOf) => {
  const applied = <Data>(apply: ApplyEvent<Data>, data: Data, at: Instant): Promise<Applied> =>
    commitAndPublish(world.app, (tx, log) => {
      const context: ReplayContext = {
        ...{ tx, log, orgId: shopId(), branchId: branchId(branch), deviceId, staffId: personId(person) },
        ...{ at, now: world.now, caller: CALLER, isOverdue: false, becameOf: () => Promise.resolve(null) },
      };
      return apply(context, data);
    });
  return {
    open: (id: Uuid, at = world.now, opening_float = 50_000) =>
      applied(openTillOfDevice(world.app), { till_id: id, opening_float }, at),
    moveCash: (
      id: Uuid,
      at = world.now,
      more: { readonly reason?: string; readonly movement?: 'pay_in' | 'pay_out' | 'drop' } = {},
    ) =>
      applied(
        moveCashOfDevice(world.app),
        { ...{ till_id: id, movement: 'drop', amount: 1_000, reason: 'إلى الخزنة' }, ...more },
        at,
      ),
    close: (
      id: Uuid,
      counted: Readonly<Record<string, number | Record<string, number>>> = { cash: 50_000 },
      at = world.now,
    ) =>
      applied(
        closeTillOfDevice({ app: world.app, voidsOf: voidsOfTill }),
        { till_id: id, counted: { ...counted }, note: null },
        at,
      ),
  };
};

/** What a device recorded as gone back for the coffee of a sale, out of a till. */
export const refundedCoffee = (
  world: World,
  saleId: Uuid,
  tillId: Uuid,
  more: Partial<NewRefund> = {},
): Promise<void> =>
  world.db.tx((tx) =>
    insertRefund(tx, {
      ...{ orgId: shopId(), id: newId(), saleId, branchId: branchId(), at: world.now, tillId },
      ...{ businessDate: new Date(world.now).toISOString().slice(0, 10), staffId: personId('teller') },
      ...{ method: 'cash', amount: 4_500, tax: 553, deliveryFee: 0, reason: 'quality', note: null },
      ...{ isRestocked: false, lines: [{ index: 0, from: 0, units: 1, amount: 4_500 }] },
      ...more,
    }),
  );

const AMOUNTS = {
  ...{ subtotal: 4_500, dealDiscount: 0, rewardDiscount: 0, staffDrinkDiscount: 0, discountAmount: 0 },
  ...{ serviceCharge: 0, deliveryFee: 0, taxRate: '0.140000', taxInclusive: true, tax: 553, total: 4_500 },
} as const;

/** One coffee, as it was sold. */
const cartOf = (): string => {
  const coffee = {
    ...{ menu_item_id: thingId('item', 'turkish'), name: 'قهوة تركي', name_translations: {} },
    ...{ size_label: null, size_translations: {}, quantity: 1, unit_price: 4_500, addons_total: 0 },
    ...{ addons: [], optionals: [], notes: null, combo: null, deal_discount: 0, reward_units: 0 },
    ...{ reward_discount: 0, line_total: 4_500 },
  };
  return JSON.stringify({ lines: [coffee], deals: [], rewards: [] });
};

/** A sale of one coffee for 45.00, paid in cash into its till; its id and reference. */
export const bookedCoffee = async (
  world: World,
  tillId: Uuid | null,
  more: Partial<NewSale> = {},
): Promise<{ readonly id: Uuid; readonly reference: string }> => {
  const { isLate = false, total = AMOUNTS.total } = more;
  const sale: NewSale = {
    ...{ orgId: shopId(), id: newId(), branchId: branchId(), source: 'replay', channel: 'dine_in' },
    ...{ at: world.now, tillId, staffId: personId('teller'), cardId: null, customerName: null },
    ...{ covers: null, cart: cartOf(), staffDrinks: 0, ...AMOUNTS },
    payments: [
      { ...{ method: 'cash', amount: total, tip: 0, tendered: null, change: null }, tillId, isLate },
    ],
    ...more,
  };
  const reference = await commitAndPublish(world.app, (tx, log) => bookSale(tx, log, sale));
  return { id: sale.id, reference };
};
