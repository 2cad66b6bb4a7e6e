/** Tickets of a branch: bills that are open while guests eat (Decisions 4, Ticket; 12, Tickets). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';

export const TICKET_STATUSES = ['open', 'settled', 'voided'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const MAX_GUESTS = 1_000;

/** Of a bill that is shared evenly. */
export const MAX_PARTS = 50;

/** A bill in equal parts, by largest remainder: they add up to it, and the first ones have the piastres that are over. */
export const equalParts = (total: Piastres, parts: number): readonly Piastres[] => {
  const [each, rest] = [Math.floor(total / parts), total % parts];
  return Array.from({ length: parts }, (_, n) => each + (n < rest ? 1 : 0));
};

/** Of a line that staff did not accept. */
export const REJECTED = 'rejected';

export const OPENED_VIA = ['staff', 'qr'] as const;
export type OpenedVia = (typeof OPENED_VIA)[number];

export interface TicketState {
  readonly id: Uuid;
  readonly status: TicketStatus;
  readonly revision: number;
}

/** Why a change is refused; null: it is not. Rounds name no revision. */
export const refusesChange = (
  { status, revision }: TicketState,
  decidedOn: number | null,
): 'TICKET_ENDED' | 'TICKET_MOVED' | null => {
  if (status !== 'open') return 'TICKET_ENDED';
  return decidedOn === null || decidedOn === revision ? null : 'TICKET_MOVED';
};

interface LineState {
  /** Null: it is not void. */
  readonly voidedAt: Instant | null;
  /** A guest sent it, and staff have not accepted it. */
  readonly isWaiting: boolean;
}

/** In the bill: neither void nor waiting. */
export const isLive = ({ voidedAt, isWaiting }: LineState): boolean => voidedAt === null && !isWaiting;

/** Sent by a guest, and neither accepted nor rejected. */
export const isUndecided = ({ voidedAt, isWaiting }: LineState): boolean => voidedAt === null && isWaiting;

/** Rates as they were in force when a ticket was opened. */
export interface TicketTerms {
  readonly serviceRate: string;
  readonly serviceTaxable: boolean;
  readonly taxRate: string;
  readonly taxInclusive: boolean;
}

export const haveSameTerms = (one: TicketTerms, other: TicketTerms): boolean =>
  one.taxRate === other.taxRate &&
  one.taxInclusive === other.taxInclusive &&
  one.serviceRate === other.serviceRate &&
  one.serviceTaxable === other.serviceTaxable;

/** `T-0042`: the ticket's number on its business date. */
export const ticketReference = (number: number): string => `T-${String(number).padStart(4, '0')}`;

/** The amounts of a ticket's bill (Decisions 3, TicketBill). */
export interface TicketAmounts {
  /** Live lines, before deals and rewards. */
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  readonly discount: Piastres;
  readonly service: Piastres;
  readonly tax: Piastres;
  readonly total: Piastres;
}

/** What a device recorded of a bill: the total stands, and the rest is worked out again with each line that comes. */
export interface RecordedBill {
  readonly total: Piastres;
  readonly rewards: readonly { readonly rewardId: Uuid; readonly itemId: Uuid; readonly units: number }[];
  readonly cardId: Uuid | null;
  /** What the rewards were given against; absent or null: no voucher of the card. */
  readonly voucher?: { readonly id: Uuid; readonly limit: number } | null;
  /** The card has paid for the rewards and has earned: once, when lines and total agree. */
  readonly isCounted: boolean;
}

/** The bill that a settled ticket paid, with the units that rewards paid for, by line. */
export interface PaidBill extends TicketAmounts {
  readonly rewardUnits: Readonly<Record<Uuid, number>>;
  /** Of a ticket that a device settled; its lines may come later. */
  readonly recorded?: RecordedBill;
}
