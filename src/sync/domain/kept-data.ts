/** What is kept of the data of an event that needs no second attempt. */
import { voucherIdIn } from '../../loyalty/domain/voucher.ts';

type Data = Readonly<Record<string, unknown>>;

/** A voucher is a capability: its id alone is kept, and shown. */
export const withoutVoucher = ({ voucher, ...data }: Data): Data => {
  const id = voucherIdIn(voucher);
  return id === null ? data : { ...data, voucher_id: id };
};

/** Guests' words are with what became of the event, where they are forgotten in time. */
const withoutWords = (data: Data): Data => {
  const { items } = data;
  const kept = Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'customer_name'));
  return Array.isArray(items)
    ? { ...kept, items: items.map((item: object) => ({ ...item, notes: null })) }
    : kept;
};

export const keptData = (data: Data): Data => withoutVoucher(withoutWords(data));
