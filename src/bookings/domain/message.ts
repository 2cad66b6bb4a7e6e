/** What the guest of a booking is told, and until when that is true. */
import { messageOf, type Message } from '../../messaging/domain/template.ts';
import { countedText, type CountedForms } from '../../kernel/counted.ts';
import type { Language } from '../../kernel/names.ts';
import {
  addMinutes,
  isDoubled,
  offsetText,
  isoInstant,
  localDateOf,
  wallMinutesOf,
  type Instant,
  type ZoneId,
} from '../../kernel/time.ts';
import type { BookingStatus } from './booking.ts';

export type BookingEvent = 'confirmed' | 'changed' | 'reminder' | 'cancelled';

const GUESTS: CountedForms = {
  ar: {
    ...{ one: () => 'ضيف واحد', two: () => 'ضيفان', few: (count) => `${count} ضيوف` },
    ...{ many: (count) => `${count} ضيفًا`, other: (count) => `${count} ضيف` },
  },
  en: { one: (count) => `${count} guest`, other: (count) => `${count} guests` },
};

export const guestsText = (count: number, language: Language): string => countedText(GUESTS, count, language);

const dayNames = (locale: string) =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Names of weekdays and months alone are taken from it: the rest differs between versions of Intl. */
const DAY_NAMES: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  ar: dayNames('ar-EG-u-nu-latn'),
  en: dayNames('en-GB'),
};

const COMMA: Readonly<Record<Language, string>> = { ar: '،', en: ',' };
const HALVES: Readonly<Record<Language, readonly [string, string]>> = { ar: ['ص', 'م'], en: ['AM', 'PM'] };

/** On the clock of the zone: `Saturday 21 November, 7:00 PM`; in an hour that comes twice with its offset from UTC. */
export const timeText = (language: Language, zone: ZoneId, instant: Instant): string => {
  const date = Date.parse(`${localDateOf(zone, instant)}T00:00:00Z`);
  const parts = DAY_NAMES[language].formatToParts(date);
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((each) => each.type === type)?.value ?? '';
  const minutes = wallMinutesOf(zone, instant);
  const hours = Math.floor(minutes / 60);
  const half = HALVES[language][hours < 12 ? 0 : 1];
  const clock = `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes % 60).padStart(2, '0')}`;
  const text = `${part('weekday')} ${part('day')} ${part('month')}${COMMA[language]} ${clock} ${half}`;
  return isDoubled(zone, instant) ? `${text} (UTC${offsetText(zone, instant)})` : text;
};

export interface BookingInMessage {
  readonly startsAt: Instant;
  readonly partySize: number;
}

export interface BookingFacts extends BookingInMessage {
  readonly language: Language;
  /** Both in `language`. */
  readonly shopName: string;
  readonly branchName: string;
  readonly zone: ZoneId;
}

const stateOf = ({ startsAt, partySize }: BookingInMessage): string => `${isoInstant(startsAt)} ${partySize}`;

export const bookingMessage = (event: BookingEvent, facts: BookingFacts): Message => {
  const { language, shopName, branchName, zone, startsAt, partySize } = facts;
  const message = messageOf(`booking_${event}`, language, {
    ...{ shop: shopName, branch: branchName },
    ...{ time: timeText(language, zone, startsAt), guests: guestsText(partySize, language) },
  });
  return { ...message, state: stateOf(facts) };
};

/** Why a message that waited is not sent; null: it is still true. */
export const obsoleteReason = (
  { template, state }: Message,
  booking: BookingInMessage & { readonly status: BookingStatus },
  now: Instant,
): string | null => {
  if (booking.startsAt <= now) return 'the start of the booking is past';
  const told: BookingStatus = template === 'booking_cancelled' ? 'cancelled' : 'confirmed';
  if (booking.status !== told) return `the booking is ${booking.status}`;
  return state === stateOf(booking) ? null : 'the booking was changed since';
};

/** Null: no reminder. One that is due already is none, since the guest has just been told of the booking. */
export const reminderTime = (startsAt: Instant, leadMinutes: number | null, now: Instant): Instant | null => {
  if (leadMinutes === null) return null;
  const time = addMinutes(startsAt, -leadMinutes);
  return time > now ? time : null;
};
