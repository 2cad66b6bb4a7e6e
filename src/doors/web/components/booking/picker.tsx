/** Party, date and time. Drawn by the server first; what a tap does is given by the browser. */
import type { LocalDate } from '../../../../kernel/time.ts';
import { useEffect, useRef } from 'preact/hooks';
import { booking } from '../../messages/compiled/booking.ts';
import { dateText, dayText, monthText, telephone, weekdayText } from '../format.ts';
import { useMessages, useReader } from '../reader.ts';
import type { PickerProps } from './picker-props.ts';
import { Times } from './time-list.tsx';
import { columnOf, datesBetween } from './times.ts';
import { useGuests } from './words.ts';

const PartyField = ({ branch, choice, onChoice }: PickerProps) => {
  const t = useMessages(booking);
  const guests = useGuests();
  const { minParty, maxParty, phone } = branch;
  const [least, most] = [Math.min(minParty, choice.party), Math.max(maxParty, choice.party)];
  const sizes = Array.from({ length: most - least + 1 }, (_, more) => least + more);
  return (
    <div class="field party">
      <label for="party">{t.party}</label>
      <select
        id="party"
        name="party"
        value={choice.party}
        onChange={({ currentTarget }) => onChoice({ ...choice, party: Number(currentTarget.value) })}
      >
        {sizes.map((size) => (
          <option key={size} value={size} selected={size === choice.party}>
            {guests(size)}
          </option>
        ))}
      </select>
      {phone !== null && (
        <p class="small muted">
          {t.larger} {t.call} <a href={telephone(phone)}>{<bdi dir="ltr">{phone}</bdi>}</a>
        </p>
      )}
    </div>
  );
};

const DateChip = ({ date, props }: { readonly date: LocalDate; readonly props: PickerProps }) => {
  const { branch, choice, onChoice } = props;
  const t = useMessages(booking);
  const reader = useReader();
  const isBlackout = branch.blackoutDates.includes(date);
  const isClosed = branch.closedDates.includes(date);
  const isChosen = date === choice.date;
  const why = isBlackout ? t.blackout : t.closed;
  return (
    <label class={`date column-${columnOf(date)}`}>
      <input
        type="radio"
        name="date"
        value={date}
        checked={isChosen}
        disabled={isClosed}
        aria-label={`${dateText(reader, date)}${isClosed ? ` (${why})` : ''}`}
        onChange={() => onChoice({ ...choice, date })}
      />
      <span aria-hidden="true">
        <small>{date === branch.firstDate ? t.today : weekdayText(reader, date)}</small>
        <b>{dayText(reader, date)}</b>
        <small>{isClosed ? why : monthText(reader, date)}</small>
      </span>
    </label>
  );
};

/** Scrolls the strip of dates, not the page, until the chosen one stands in its middle. */
const showChosen = (strip: HTMLElement): void => {
  const chosen = strip.querySelector(':checked')?.parentElement?.getBoundingClientRect();
  if (chosen === undefined) return;
  const { left, width } = strip.getBoundingClientRect();
  strip.scrollLeft += chosen.left + chosen.width / 2 - left - width / 2;
};

const DateField = (props: PickerProps) => {
  const { firstDate, lastDate } = props.branch;
  const t = useMessages(booking);
  const reader = useReader();
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (strip.current !== null) showChosen(strip.current);
  }, []);
  return (
    <fieldset class="dates">
      <legend>{t.day}</legend>
      <div class="strip" ref={strip}>
        {datesBetween(firstDate, lastDate).map((date) => (
          <DateChip key={date} date={date} props={props} />
        ))}
      </div>
      <p class="below">
        <span class="small muted">{t.openUntil({ date: dateText(reader, lastDate) })}</span>
        <button type="submit" class="button quiet until-alive">
          {t.showTimes}
        </button>
      </p>
    </fieldset>
  );
};

/** Without script the form shows the times of another date or party. */
export const Picker = (props: PickerProps) => (
  <form class="picker" method="get">
    <input type="hidden" name="branch" value={props.branch.id} />
    <PartyField {...props} />
    <DateField {...props} />
    <Times {...props} />
  </form>
);
