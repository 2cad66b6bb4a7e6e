/** What happened to a demo member, as steps in time (Decisions 11). */
import type { Birthday } from '../../../loyalty/domain/birthday.ts';
import { greetingTime, type GreetingKind } from '../../../loyalty/domain/greeting.ts';
import {
  addDays,
  addMinutes,
  localDateOf,
  type Instant,
  type LocalDate,
  type ZoneId,
} from '../../../kernel/time.ts';
import { placedAt, type OrderScenario } from './orders.ts';

interface AdjustmentScenario {
  readonly adjusted: number;
  readonly note: string;
  /** Key of the member of staff. */
  readonly by: string;
  readonly minutes_ago: number;
}

/** With its gift, at the hour of greetings. */
interface GreetingScenario {
  readonly greeted: GreetingKind;
  readonly days_ago: number;
}

interface CombinationScenario {
  /** Key of the member whose card was combined with this one. */
  readonly combines: string;
  readonly minutes_ago: number;
}

/** Oldest first. */
export type HistoryScenario =
  { readonly order: PastOrder } | AdjustmentScenario | GreetingScenario | CombinationScenario;

export interface PastOrder extends Omit<
  OrderScenario,
  'shop' | 'customer_name' | 'address' | 'point' | 'delivery_notes'
> {
  /** Index of the member's address. */
  readonly place?: number;
  readonly redeems?: readonly RedemptionScenario[];
}

interface RedemptionScenario {
  /** Key of the shop file. */
  readonly reward: string;
  /** Index of the line in `items`. */
  readonly line: number;
  readonly units: number;
}

export type Step = { readonly at: Instant } & (
  | { readonly kind: 'placed' | 'ended'; readonly order: PastOrder }
  | { readonly kind: 'adjusted'; readonly amount: number; readonly note: string; readonly by: string }
  | { readonly kind: 'greeted' }
  /** `with`: key of the other member. */
  | { readonly kind: 'combined'; readonly with: string }
);

const dateOf = ({ days_ago: ago }: GreetingScenario, zone: ZoneId, now: Instant): LocalDate =>
  addDays(localDateOf(zone, now), -ago);

const stepsOfOrder = (order: PastOrder, now: Instant): readonly Step[] => {
  const at = placedAt(order, now);
  const { delivered, cancelled, rejected } = order.steps;
  const end = delivered ?? cancelled ?? rejected;
  const placed = { at, kind: 'placed', order } as const;
  return end === undefined ? [placed] : [placed, { at: addMinutes(at, end), kind: 'ended', order }];
};

const stepsOfEvent = (event: HistoryScenario, zone: ZoneId, now: Instant): readonly Step[] => {
  if ('order' in event) return stepsOfOrder(event.order, now);
  if ('greeted' in event) return [{ at: greetingTime(zone, dateOf(event, zone, now)), kind: 'greeted' }];
  const at = addMinutes(now, -event.minutes_ago);
  if ('combines' in event) return [{ at, kind: 'combined', with: event.combines }];
  return [{ at, kind: 'adjusted', amount: event.adjusted, note: event.note, by: event.by }];
};

export const stepsOf = (history: readonly HistoryScenario[], zone: ZoneId, now: Instant): readonly Step[] =>
  history.flatMap((event) => stepsOfEvent(event, zone, now));

/** The day on which the member was greeted for it; null: the shop has no birthday of theirs. */
export const birthdayOf = (
  history: readonly HistoryScenario[],
  zone: ZoneId,
  now: Instant,
): Birthday | null => {
  for (const event of history)
    if ('greeted' in event && event.greeted === 'birthday') {
      const date = dateOf(event, zone, now);
      return { month: Number(date.slice(5, 7)), day: Number(date.slice(8)) };
    }
  return null;
};
