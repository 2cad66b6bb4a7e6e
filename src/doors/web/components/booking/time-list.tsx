/** The times of a date: loading, listed, none, or not to be had. */
import { useEffect, useRef } from 'preact/hooks';
import { booking } from '../../messages/compiled/booking.ts';
import { dateText, zoneName } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useMessages, useReader } from '../reader.ts';
import type { PickerProps } from './picker-props.ts';
import {
  byPart,
  localDate,
  nearestTo,
  showSameTime,
  type PartOfDay,
  type Slot,
  type Slots,
} from './times.ts';
import { useGuests, useStartText } from './words.ts';

interface TimeButtonProps {
  readonly slot: Slot;
  readonly zone: string;
  readonly props: PickerProps;
}

const TimeButton = ({ slot, zone, props }: TimeButtonProps) => {
  const t = useMessages(booking);
  const { time, pass } = useStartText()(zone, slot.starts_at);
  const isChosen = props.chosen === slot.starts_at;
  return (
    <li>
      <button
        type="button"
        class={slot.available ? 'time' : 'time gone'}
        disabled={!slot.available || !props.isAlive}
        aria-pressed={slot.available ? isChosen : undefined}
        onClick={() => props.onTime(slot.starts_at)}
      >
        <bdi>{time}</bdi>
        {pass !== null && <small>{pass}</small>}
        {slot.reason !== null && (
          <small class={slot.reason === 'taken' ? undefined : 'visually-hidden'}>
            {slot.reason === 'taken' ? t.taken : t.tooSoon}
          </small>
        )}
      </button>
    </li>
  );
};

const Part = ({
  part,
  slots,
  of,
  props,
}: {
  readonly part: PartOfDay;
  readonly slots: readonly Slot[];
  readonly of: Slots;
  readonly props: PickerProps;
}) => {
  const t = useMessages(booking);
  const reader = useReader();
  const [first] = slots;
  const into = first === undefined ? of.date : localDate(of.timezone, Date.parse(first.starts_at));
  return (
    <section aria-labelledby={`part-${part}`}>
      <h3 id={`part-${part}`}>
        {t[part]}
        {part === 'night' && <small> {t.nightInto({ date: dateText(reader, into) })}</small>}
      </h3>
      <ul class="time-grid">
        {slots.map((slot) => (
          <TimeButton key={slot.starts_at} slot={slot} zone={of.timezone} props={props} />
        ))}
      </ul>
    </section>
  );
};

/** Why a date has no time to choose; null: it has. */
const useObstacle = ({ branch }: PickerProps, of: Slots): string | null => {
  const t = useMessages(booking);
  const guests = useGuests();
  if (!of.party_fits)
    return of.largest_party === null ? t.noTables : t.largest({ guests: guests(of.largest_party) });
  if (branch.blackoutDates.includes(of.date)) return t.blackoutDay;
  if (of.slots.length === 0) return t.closedDay;
  if (of.slots.some(({ available }) => available)) return null;
  return of.slots.every(({ reason }) => reason === 'too_soon') ? t.lateToday : t.full;
};

/** The start that another guest took, and the times nearest to it. Takes the focus. */
const Taken = ({
  start,
  of,
  props,
}: {
  readonly start: string;
  readonly of: Slots;
  readonly props: PickerProps;
}) => {
  const t = useMessages(booking);
  const { time } = useStartText()(of.timezone, start);
  const near = nearestTo(start, of);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [start]);
  return (
    <section class="card taken" aria-labelledby="taken">
      <h3 id="taken" ref={heading} tabIndex={-1}>
        {t.justTaken}: <bdi>{time}</bdi>
      </h3>
      <p>{near.length === 0 ? t.noneNear : t.nearest}</p>
      <ul class="time-grid">
        {near.map((slot) => (
          <TimeButton key={slot.starts_at} slot={slot} zone={of.timezone} props={props} />
        ))}
      </ul>
    </section>
  );
};

const Listed = ({ of, props }: { readonly of: Slots; readonly props: PickerProps }) => {
  const obstacle = useObstacle(props, of);
  return (
    <>
      {props.taken !== null && <Taken start={props.taken} of={of} props={props} />}
      {obstacle !== null && (
        <p class="notice">
          <Icon name="calendar" />
          {obstacle}
        </p>
      )}
      {byPart(of).map(({ part, slots }) => (
        <Part key={part} part={part} slots={slots} of={of} props={props} />
      ))}
    </>
  );
};

/** Said only to readers whose clock shows another time. `zone`: the reader's own; null: not known. */
export const ZoneNote = ({
  zone,
  own,
  at,
}: {
  readonly zone: string;
  readonly own: string | null;
  readonly at: number;
}) => {
  const t = useMessages(booking);
  const reader = useReader();
  if (own === null || showSameTime(zone, own, at)) return null;
  return (
    <p class="notice zone-note">
      <Icon name="globe" />
      {t.zone({ zone: zoneName(reader, zone, at) })}
    </p>
  );
};

export const Times = (props: PickerProps) => {
  const { times, choice, onRetry } = props;
  const t = useMessages(booking);
  const reader = useReader();
  return (
    <section class="times" aria-labelledby="times" aria-busy={times.kind === 'loading'}>
      <h2 id="times" tabIndex={-1}>
        {t.timesOn({ date: dateText(reader, choice.date) })}
      </h2>
      <p class={times.kind === 'loading' ? 'muted' : 'visually-hidden'} role="status">
        {times.kind === 'loading' ? t.loading : ''}
      </p>
      {times.kind === 'listed' && <Listed of={times.slots} props={props} />}
      {times.kind === 'failed' && (
        <div class="notice" role="alert">
          <Icon name="offline" />
          <div>
            <p>{times.message}</p>
            <button type="button" class="button quiet" onClick={onRetry}>
              {t.retry}
            </button>
          </div>
        </div>
      )}
    </section>
  );
};
