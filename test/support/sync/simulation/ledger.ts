/**
 * What really happened in a simulation: goods that went over the counter, money that changed hands. It is written down
 * where a person does something, and knows nothing of the server.
 */
import type { Voucher } from '../../../../src/loyalty/domain/voucher.ts';
import type { VoidReason } from '../../../../src/sales/domain/void-reason.ts';

export interface PaidMoney {
  readonly method: 'cash' | 'card';
  readonly amount: number;
  readonly tip: number;
}

export interface SoldLine {
  /** The key of the item. */
  readonly item: string;
  readonly units: number;
  readonly unitPrice: number;
}

/** Points that a guest gave for something. */
export interface SpentPoints {
  readonly cost: number;
  readonly voucher: Pick<Voucher, 'id' | 'limit'>;
}

/** Over the counter. */
export interface MadeSale {
  readonly id: string;
  readonly at: number;
  /** Who made it: a device, or `server` for a live sale. */
  readonly by: string;
  readonly lines: readonly SoldLine[];
  /** Before deals; 0 for a drink of the staff. */
  readonly total: number;
  /** In the total. */
  readonly tax: number;
  readonly payments: readonly PaidMoney[];
  readonly tillId: string | null;
  readonly cardId: string | null;
  readonly spent: SpentPoints | null;
}

export interface FiredLine extends SoldLine {
  readonly id: string;
  readonly at: number;
}

export interface Settling {
  readonly saleId: string;
  readonly at: number;
  readonly by: string;
  /** Of the lines that the device knew, less what a reward paid for, without service. */
  readonly subtotal: number;
  readonly total: number;
  readonly tax: number;
  readonly payments: readonly PaidMoney[];
  readonly tillId: string | null;
  readonly cardId: string | null;
  /** For a unit of a line. */
  readonly spent: (SpentPoints & { readonly lineId: string }) | null;
}

export interface Ticket {
  readonly id: string;
  readonly hasTable: boolean;
  /** Of every void of it, so that what comes back does not depend on which void came first. */
  readonly reason: VoidReason;
  readonly lines: FiredLine[];
  readonly voids: { readonly lineId: string; readonly units: number; readonly at: number }[];
  readonly settlings: Settling[];
  /** Who ended it without a sale. */
  readonly ends: { readonly at: number; readonly by: string }[];
  /** Who did something to it. */
  readonly hands: Set<string>;
  /** In whose bill its lines are now. */
  mergedInto: Ticket | null;
  /** All whose lines can have come into this one, or this one's into them. */
  kin: Set<Ticket>;
}

export interface Till {
  readonly id: string;
  /** The device that opened it. */
  readonly by: string;
  readonly float: number;
  /** Pay-ins less what went out. */
  readonly movements: { readonly kind: 'pay_in' | 'pay_out' | 'drop'; readonly amount: number }[];
  readonly closes: { readonly by: string; readonly countedCash: number }[];
}

export interface GivenBack {
  readonly id: string;
  readonly saleId: string;
  /** Null: everything that is left. */
  readonly units: number | null;
  readonly amount: number;
  readonly tillId: string;
  readonly restocks: boolean;
}

export const newTicket = ({
  by,
  ...about
}: Pick<Ticket, 'id' | 'hasTable' | 'reason'> & { readonly by: string }): Ticket => {
  const made = { lines: [], voids: [], settlings: [], ends: [], mergedInto: null };
  const ticket: Ticket = { ...about, ...made, hands: new Set([by]), kin: new Set() };
  ticket.kin.add(ticket);
  return ticket;
};

const relate = (one: Ticket, other: Ticket): void => {
  const kin = new Set([...one.kin, ...other.kin]);
  for (const each of kin) each.kin = kin;
};

/** The ticket in which its lines are now. */
export const livingTicket = (ticket: Ticket): Ticket =>
  ticket.mergedInto === null ? ticket : livingTicket(ticket.mergedInto);

export class Ledger {
  readonly sales = new Map<string, MadeSale>();
  readonly tickets = new Map<string, Ticket>();
  readonly tills = new Map<string, Till>();
  readonly refunds: GivenBack[] = [];
  /** The id of every event that a device stored, with the moment at which it happened. */
  readonly events = new Map<string, number>();

  /** Of everything that was paid, wherever the server puts it. */
  payments(): readonly (PaidMoney & { readonly tillId: string | null })[] {
    const paid = [...this.sales.values(), ...[...this.tickets.values()].flatMap((one) => one.settlings)];
    return paid.flatMap(({ payments, tillId }) => payments.map((one) => ({ ...one, tillId })));
  }

  /** Its lines, and what becomes of them, are those of the other from now on. */
  merge(ticket: Ticket, into: Ticket): void {
    ticket.mergedInto = into;
    relate(ticket, into);
  }

  /** `id`: of the new ticket, which has some of its lines. */
  split({ hasTable, reason, ...ticket }: Ticket, id: string): void {
    const part = newTicket({ id, hasTable, reason, by: 'server' });
    this.tickets.set(id, part);
    relate(this.ticket(ticket.id), part);
  }

  ticket(id: string): Ticket {
    const found = this.tickets.get(id);
    if (found === undefined) throw new Error('An event is of a ticket that somebody opened.');
    return found;
  }

  till(id: string): Till {
    const found = this.tills.get(id);
    if (found === undefined) throw new Error('An event is of a till that somebody opened.');
    return found;
  }
}
