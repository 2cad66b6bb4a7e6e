/** A kitchen ticket as the staff see it. */
import type { Uuid } from '../../kernel/ids.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/kitchen.ts';
import type { StoredKitchenLine, StoredKitchenTicket } from '../store/ticket.ts';

export type KitchenReply = ReplyOf<typeof contract.bumpKitchenTicket>;
type Totals = ReplyOf<typeof contract.getKitchen>['totals'];

const timeOf = (instant: number | null): string | null => (instant === null ? null : isoInstant(instant));

const itemReply = (line: StoredKitchenLine): KitchenReply['items'][number] => ({
  ...{ id: line.id, menu_item_id: line.menuItemId, name: line.name, size_label: line.sizeLabel },
  ...{ details: [...line.details], combo: line.combo, notes: line.notes, tables: [...line.tables] },
  ...{ quantity: line.quantity, voided: line.voided, void_reason: line.voidReason },
  bumped_at: timeOf(line.bumpedAt),
});

export const kitchenReply = (ticket: StoredKitchenTicket): KitchenReply => ({
  ...{ id: ticket.id, branch_id: ticket.branchId },
  station: { id: ticket.stationId, name: ticket.stationName },
  ...{ source: ticket.source, source_id: ticket.sourceId, round: ticket.round, reference: ticket.reference },
  ...{ name: ticket.name, notes: ticket.notes, fired_at: isoInstant(ticket.firedAt) },
  ...{ promised_at: timeOf(ticket.promisedAt), done_at: timeOf(ticket.doneAt) },
  items: ticket.lines.map(itemReply),
});

const leftOf = ({ quantity, voided, bumpedAt }: StoredKitchenLine): number =>
  bumpedAt === null ? quantity - voided : 0;

/** Units to make of each item and size, in the order in which they were fired. */
export const totalsOf = (tickets: readonly StoredKitchenTicket[]): Totals => {
  const totals = new Map<string, Totals[number]>();
  for (const line of tickets.flatMap(({ lines }) => lines)) {
    const quantity = leftOf(line);
    if (quantity === 0) continue;
    const key = keyOf(line.menuItemId, line.sizeLabel);
    const { menuItemId: id, name, sizeLabel } = line;
    const before = totals.get(key)?.quantity ?? 0;
    totals.set(key, { menu_item_id: id, name, size_label: sizeLabel, quantity: before + quantity });
  }
  return [...totals.values()];
};

const keyOf = (itemId: Uuid, sizeLabel: string | null): string => `${itemId}\n${sizeLabel ?? ''}`;
