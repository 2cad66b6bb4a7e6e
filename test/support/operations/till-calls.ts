/** One call of each operation about tills and sales, by the owner. */
import type { SignedIn } from '../people/staff.ts';
import { aCounterCart, aCounterSale, aDeliveredOrder, anOpenTill, withoutTills } from '../people/tills.ts';
import type { World } from '../server/world.ts';
import { branchId } from '../shops/cafe.ts';

export const tillCalls = (world: World, owner: SignedIn) => {
  const [headers, branch] = [{ ...owner }, branchId()];
  const onTill = (what: string, body?: object) => async () => ({
    ...{ address: `/staff/tills/${await anOpenTill(world, 'owner')}/${what}`, headers },
    ...(body === undefined ? {} : { body }),
  });
  return {
    openTill: async () => {
      await withoutTills(world, 'owner');
      return { address: '/staff/tills', headers, body: { branch_id: branch, opening_float: 50_000 } };
    },
    listTills: () => Promise.resolve({ address: `/staff/tills?branch_id=${branch}`, headers }),
    getTillReport: onTill('report'),
    moveCash: onTill('cash', { kind: 'pay_in', amount: 500, reason: 'فكة' }),
    closeTill: onTill('close', { counted: { cash: { 20_000: 2, 50: 1 } } }),
    forceCloseTill: onTill('force-close', { note: 'نسي إغلاقها' }),
    getReceipt: async () => ({ address: `/staff/sales/${await aDeliveredOrder(world)}/receipt`, headers }),
    getReceiptText: async () => ({
      address: `/staff/sales/${await aDeliveredOrder(world)}/receipt.txt`,
      headers,
    }),
    quoteCounterSale: () => Promise.resolve({ address: '/staff/cart-quote', headers, body: aCounterCart() }),
    sellOverCounter: () => Promise.resolve({ address: '/staff/sales', headers, body: aCounterSale() }),
    refundSale: async () => ({
      address: `/staff/sales/${await aDeliveredOrder(world)}/refund`,
      ...{ headers, body: { all: true, method: 'card', reason: 'quality' } },
    }),
    reopenOrder: async () => ({
      address: `/staff/orders/${await aDeliveredOrder(world)}/reopen`,
      ...{ headers, body: { from: 'delivered' } },
    }),
    listSales: () => Promise.resolve({ address: `/staff/sales?branch_id=${branch}`, headers }),
    getSale: async () => ({ address: `/staff/sales/${await aDeliveredOrder(world)}`, headers }),
  };
};
