/** One call of each operation about what a branch sells now, by the owner. */
import { branchId, thingId } from '../shops/cafe.ts';

const CAKE = thingId('item', 'cake');

export const saleCalls = (headers: Record<string, string>) => {
  const ofBranch = (what: string, body?: object) => () =>
    Promise.resolve({
      ...{ address: `/staff/branches/${branchId()}/${what}`, headers },
      ...(body === undefined ? {} : { body }),
    });
  return {
    listOwnBranches: () => Promise.resolve({ address: '/staff/branches', headers }),
    getBranchSale: ofBranch('sale'),
    setChannelMode: ofBranch('channels/umbrella', { mode: 'closed', until: '2026-12-01T12:00:00Z' }),
    setAvailability: ofBranch(`items/${CAKE}/availability`, {
      ...{ available: false, until: '2026-12-01T05:00:00Z' },
    }),
    setStock: ofBranch(`items/${CAKE}/stock`, { stock: 12 }),
  };
};
