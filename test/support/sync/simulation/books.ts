/** What the server has in its books of a branch, read from its tables and its reports. */
import { sql } from 'kysely';
import type { BranchCopy } from '../../../../src/client/till/branch-copy.ts';
import type { ReviewReason } from '../../../../src/platform/domain/review.ts';
import type { Place } from './place.ts';
import { done } from '../../server/requests.ts';
import type { World } from '../../server/world.ts';
import type { StaffReply } from '../../people/staff.ts';

export interface BookedPayment {
  readonly method: string;
  readonly amount: number;
  readonly tip: number;
  readonly till_id: string | null;
  readonly beyond: number;
}

export interface BookedRefund {
  readonly id: string;
  readonly amount: number;
  readonly restocked: boolean;
  readonly lines: readonly { readonly index: number; readonly units: number }[];
}

export interface BookedSale {
  readonly id: string;
  readonly at: number;
  readonly business_date: string;
  readonly total: number;
  readonly subtotal: number;
  readonly tax_amount: number;
  readonly recorded_difference: number;
  readonly till_id: string | null;
  readonly card_id: string | null;
  readonly staff_drinks: number;
  readonly lines: readonly {
    readonly menu_item_id: string;
    readonly quantity: number;
    readonly unit_price: number;
  }[];
  readonly payments: readonly BookedPayment[];
  readonly refunds: readonly BookedRefund[];
}

export interface BookedLine {
  readonly id: string;
  /** The line that it was divided from; its own id for one that was fired. */
  readonly origin_id: string;
  readonly item_id: string;
  readonly unit_price: number;
  readonly quantity: number;
  readonly void_reason: string | null;
}

export interface BookedTicket {
  readonly id: string;
  readonly status: 'open' | 'settled' | 'voided';
  /** That of its sale, where it has one: of a live sale its own. */
  readonly sale_id: string;
  readonly lines: readonly BookedLine[];
}

/** Of a bill that is open. */
export type BookedPart = Pick<BookedPayment, 'method' | 'amount' | 'tip' | 'till_id'>;

interface Stored {
  readonly events: readonly {
    readonly id: string;
    readonly outcome: string;
    /** What it is about, such as the id of its sale. */
    readonly subject_id: string;
    readonly reasons: readonly ReviewReason[];
  }[];
  readonly sales: readonly BookedSale[];
  readonly tickets: readonly BookedTicket[];
  readonly tills: readonly { readonly id: string; readonly status: string }[];
  readonly stock: Readonly<Record<string, number>>;
  readonly parts: readonly BookedPart[];
  readonly points: number;
  /** Of the card, one after the other. `shortfall`: what a refund could not take. */
  readonly entries: readonly { readonly amount: number; readonly shortfall: number }[];
}

export type TillReport = Pick<StaffReply<'getTillReport'>, 'status' | 'figures' | 'late'>;

export interface Books extends Stored {
  readonly reports: ReadonlyMap<string, TillReport>;
  /** Of every day of the branch. Null: it was not asked for. */
  readonly days: { readonly sales_count: number; readonly total: number } | null;
}

const MS = sql`(extract(epoch from s.at) * 1000)::bigint`;

const SALES = (branchId: string) => sql`
  select s.id, ${MS} as at, s.business_date, s.total, s.subtotal, s.tax_amount, s.recorded_difference, s.card_id, s.staff_drinks,
         s.till_id, s.cart -> 'lines' as lines,
         (select coalesce(json_agg(p order by p.position), '[]') from sale_payment p
          where p.org_id = s.org_id and p.sale_id = s.id) as payments,
         (select coalesce(json_agg(json_build_object('id', r.id, 'amount', r.amount, 'restocked', r.restocked, 'lines',
                   (select coalesce(json_agg(json_build_object('index', l.line_index, 'units', l.units)), '[]')
                    from sale_refund_line l where l.org_id = r.org_id and l.refund_id = r.id))), '[]')
          from sale_refund r where r.org_id = s.org_id and r.sale_id = s.id) as refunds
  from sale s where s.branch_id = ${branchId}`;

const TICKETS = (branchId: string) => sql`
  select t.id, t.status, coalesce(t.sale_id, t.id) as sale_id,
         (select coalesce(json_agg(json_build_object('id', i.id, 'origin_id', i.origin_id, 'item_id', i.line ->> 'menu_item_id',
                   'unit_price', (i.line ->> 'unit_price')::int, 'quantity', i.quantity, 'void_reason', i.void_reason)), '[]')
          from ticket_item i where i.org_id = t.org_id and i.ticket_id = t.id) as lines
  from ticket t where t.branch_id = ${branchId}`;

const stored = async ({ db }: World, { orgId, branchId, card }: Place): Promise<Stored> => {
  const { rows } = await sql<Stored>`
    select
      (select coalesce(json_agg(json_build_object('id', e.id, 'subject_id', e.subject_id, 'outcome', e.outcome,
                'reasons', e.reasons)), '[]')
       from replay_event e where e.org_id = ${orgId} and e.branch_id = ${branchId}) as events,
      (select coalesce(json_agg(sold), '[]') from (${SALES(branchId)}) sold) as sales,
      (select coalesce(json_agg(seated), '[]') from (${TICKETS(branchId)}) seated) as tickets,
      (select coalesce(json_agg(json_build_object('id', k.id, 'status', k.status)), '[]')
       from till k where k.branch_id = ${branchId}) as tills,
      (select coalesce(json_object_agg(a.subject_id, a.stock), '{}') from availability a
       where a.org_id = ${orgId} and a.branch_id = ${branchId} and a.channel is null and a.stock is not null) as stock,
      (select coalesce(json_agg(p), '[]') from part_payment p
       where p.org_id = ${orgId} and p.branch_id = ${branchId}) as parts,
      (select c.points from loyalty_card c where c.org_id = ${orgId} and c.id = ${card.id}) as points,
      (select coalesce(json_agg(json_build_object('amount', l.amount, 'shortfall', l.shortfall) order by l.position), '[]')
       from loyalty_entry l where l.org_id = ${orgId} and l.card_id = ${card.id}) as entries
  `.execute(db.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('The books are read by one statement.');
  return row;
};

const DAYS = 'from=2026-11-18&to=2026-11-22';

/** `fresh`: a copy that was just pulled, which has the figures of closed tills. */
export const readBooks = async (
  world: World,
  place: Place,
  fresh: BranchCopy,
  hasDays: boolean,
): Promise<Books> => {
  const read = await stored(world, place);
  const reports = new Map<string, TillReport>();
  for (const { id } of read.tills) {
    const row = fresh.row('till', id);
    const isOpen = row === null || row.status === 'open';
    const report = isOpen ? await world.get(`/staff/tills/${id}/report`, place.owner) : null;
    reports.set(id, report === null ? (row as TillReport) : done('getTillReport', report));
  }
  const address = `/staff/reports/day?branch_id=${place.branchId}&${DAYS}`;
  const days = hasDays ? done('reportDays', await world.get(address, place.owner)).total : null;
  return { ...read, reports, days };
};
