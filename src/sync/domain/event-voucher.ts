/** A voucher is a capability: what is kept of an event has its id alone. */
import { voucherIdIn } from '../../loyalty/domain/voucher.ts';

type Data = Readonly<Record<string, unknown>>;

export const withoutVoucher = ({ voucher, ...data }: Data): Data => {
  const id = voucherIdIn(voucher);
  return id === null ? data : { ...data, voucher_id: id };
};
