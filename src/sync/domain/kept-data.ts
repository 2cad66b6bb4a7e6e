/** What is kept of the data of an event that needs no second attempt. */
import { voucherIdIn } from '../../loyalty/domain/voucher.ts';

type Data = Readonly<Record<string, unknown>>;

/** A voucher is a capability: its id alone is kept, and shown. */
export const withoutVoucher = ({ voucher, ...data }: Data): Data => {
  const id = voucherIdIn(voucher);
  return id === null ? data : { ...data, voucher_id: id };
};

/** A line, or a pick of its combo. */
interface Line {
  readonly combo?: { readonly picks: readonly Line[] } | null;
}

const withoutNotes = ({ combo, ...line }: Line): object => ({
  ...{ ...line, notes: null },
  ...(combo ? { combo: { ...combo, picks: combo.picks.map(withoutNotes) } } : {}),
});

/** Without what a guest wrote, and the name. */
export const withoutWords = ({ items, ...data }: Data): Data => {
  const kept = Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'customer_name'));
  return Array.isArray(items) ? { ...kept, items: (items as readonly Line[]).map(withoutNotes) } : kept;
};

/** Guests' words are with what became of the event, where they are forgotten in time. */
export const keptData = (data: Data): Data => withoutVoucher(withoutWords(data));
