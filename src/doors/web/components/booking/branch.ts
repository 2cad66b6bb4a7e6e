/** What the booking pages know of a branch. */
import type { Reply } from '../../../../client/client.ts';
import type { LocalDate } from '../../../../kernel/time.ts';

type Info = Reply<'getBookingInfo'>;

export interface BookingBranch {
  readonly id: string;
  /** Name and address in the reader's language. */
  readonly name: string;
  readonly address: string | null;
  readonly phone: string | null;
  readonly directionsUrl: string | null;
  readonly zone: string;
  readonly minParty: number;
  readonly maxParty: number;
  readonly firstDate: LocalDate;
  readonly lastDate: LocalDate;
  readonly closedDates: readonly LocalDate[];
  readonly blackoutDates: readonly LocalDate[];
  /** For guests who are late. */
  readonly holdMinutes: number;
  readonly hours: Info['hours'];
}
