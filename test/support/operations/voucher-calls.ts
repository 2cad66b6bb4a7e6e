import { cardAddress } from '../people/members.ts';
import { aMember } from '../people/reward-members.ts';
import type { World } from '../server/world.ts';

/** Vouchers of cards whose balance pays for a reward. */
export const voucherCalls = (world: World) => {
  const addressOf = async (what: string) => ({
    address: cardAddress((await aMember(world, 150)).memberToken, what),
  });
  return { getVoucher: () => addressOf('/voucher'), getVoucherQr: () => addressOf('/voucher.svg') };
};
