/** get_booking_slots: when a branch has a table for a party, as an object and in words (Decisions 9, 14). */
import { madeOf, type Answer } from '../app/answer.ts';
import type { App } from '../app/app.ts';
import { getBookingSlots } from '../app/booking.ts';
import { branchPlace, type BranchPlace } from '../app/shop.ts';
import type { ArgsOf, BookingTimes, ToolOf } from '../contract/tools.ts';
import { isUnavailable, Refusal } from '../domain/refusal.ts';
import type { UnfitReason } from '../domain/seating.ts';
import { addDays, addMinutes, isoLocal, type Instant, type LocalDate } from '../domain/time.ts';
import { placeOf, placeWords, type Place } from './place.ts';
import { explained, Unanswerable } from './refuse.ts';
import {
  branchesWithIds,
  count,
  duration,
  longDate,
  longMoment,
  plainText,
  quoted,
  readLocal,
  shown,
  weekdayName,
} from './say.ts';
import { withinLimit, type Told } from './shorten.ts';

type Args = ArgsOf<ToolOf<'get_booking_slots'>>;
type Slot = BookingTimes['slots'][number];

// ── In words ────────────────────────────────────────────────────────────────────────────────────

/** A local moment without its offset: what the clock on the wall shows. */
const wallOf = ({ local }: Slot): string => local.slice(0, 16);

/**
 * What tells a start from another with its local time, in the night in which the clocks go back: starts come in the
 * order of time, so the clocks have gone back where the wall clock does not move on from one to the next.
 */
const aroundTheChange = (slots: readonly Slot[]): ((slot: Slot) => string) => {
  const walls = slots.map(wallOf);
  const change = walls.findIndex((wall, index) => index > 0 && wall <= (walls[index - 1] ?? wall));
  const [before, after, first] = [walls[change - 1], walls[change], slots[change]];
  if (before === undefined || after === undefined || first === undefined) return () => '';
  return (slot) => {
    const wall = wallOf(slot);
    if (wall < after || wall > before) return '';
    return slot.starts_at < first.starts_at ? ', before the clocks go back' : ', after the clocks go back';
  };
};

const isAfterMidnight =
  (date: LocalDate) =>
  ({ local }: Slot): boolean =>
    readLocal(local).date > date;

/** Local time first; a start of another calendar date than the one asked for says which. */
const slotLine =
  (date: LocalDate, tellApart: (slot: Slot) => string) =>
  (slot: Slot): string => {
    const local = readLocal(slot.local);
    const when = local.date === date ? local.time : longMoment(slot.local);
    return `- ${when}${tellApart(slot)} (${slot.starts_at})`;
  };

const starts = (amount: number): string => `${amount} ${amount === 1 ? 'start is' : 'starts are'}`;

/** Why nothing is free: `8 starts are taken and 3 are past or too soon`. */
const whyNone = ({ why_not, lead_minutes: lead }: BookingTimes, taken: number, late: number): string => {
  if (why_not !== undefined) return why_not;
  if (late === 0) return `${starts(taken)} taken`;
  if (taken > 0) return `${starts(taken)} taken and ${late} ${late === 1 ? 'is' : 'are'} past or too soon`;
  const ahead = lead === undefined ? '' : `, as a table is booked at least ${duration(lead)} ahead`;
  return `${starts(late)} past or too soon${ahead}`;
};

/** The answer to the question, in one sentence. */
const headline = (times: BookingTimes, free: number, taken: number, late: number): string => {
  const where = `on ${longDate(times.date)} at ${placeWords(times)}`;
  if (times.slots.length === 0) {
    const never = times.why_not === undefined ? '' : `, and ${times.why_not}`;
    return `No bookings are taken ${where}: it is closed for bookings that day${never}.`;
  }
  const party = `for ${times.party_size} ${where}`;
  const isCut = times.truncated === true;
  if (free === 0)
    return `No free times ${party}${isCut ? ', as far as listed here' : ''}; ${whyNone(times, taken, late)}.`;
  const atLeast = isCut ? 'At least ' : '';
  return `${atLeast}${count(free, 'free time', 'free times')} ${party}.`;
};

/** Where else to look when nothing is free; nothing that is known to be in vain. */
const nextLine = (times: BookingTimes): string[] => {
  const { date, party_size, why_not, largest_party: largest, next_free_date: next, last_date: last } = times;
  if (next !== undefined)
    return [`The next date with a free time for ${party_size} is ${longDate(next)} (${next}).`];
  if (why_not !== undefined)
    return largest === undefined ? [] : [`A smaller party, of ${largest} at most, may find times.`];
  if (last === date) return [`${longDate(date)} is the last date that can be booked.`];
  if (last !== undefined)
    return [
      `No later date up to ${longDate(last)}, the last that can be booked, has a free time for ${party_size}.`,
    ];
  if (times.truncated === true || times.slots.some(({ available }) => available)) return [];
  return ['A later date may have times.'];
};

const say = (times: BookingTimes): string => {
  const free = times.slots.filter((slot) => slot.available);
  const late = times.slots.filter((slot) => slot.too_soon === true);
  const taken = times.slots.filter((slot) => !slot.available && slot.too_soon !== true);
  const line = slotLine(times.date, aroundTheChange(times.slots));
  const list = (title: string, slots: readonly Slot[]): string[] =>
    slots.length === 0 ? [] : [title, ...slots.map(line)];
  return [
    headline(times, free.length, taken.length, late.length),
    ...(times.left_out === undefined ? [] : [times.left_out]),
    ...nextLine(times),
    times.slots.length === 0
      ? `The branch's time zone is ${times.timezone}.`
      : `Times are on the branch's clock (${times.timezone}), each with its UTC start in brackets.`,
    ...(times.slots.some(isAfterMidnight(times.date))
      ? [`A start after midnight belongs to the evening before, and is listed under its date.`]
      : []),
    ...list('Free:', free),
    ...list(
      times.why_not === undefined
        ? `Taken (no room for ${times.party_size}):`
        : `Not for ${times.party_size}:`,
      taken,
    ),
    ...list('Past, or too soon to be booked:', late),
    `Nothing is booked here. To book, the person opens ${times.book_url}`,
    `shop: ${times.shop}, date: ${times.date}, branch_id: ${times.branch_id}`,
  ].join('\n');
};

// ── As an object ────────────────────────────────────────────────────────────────────────────────

const placeAt = (place: BranchPlace): Place =>
  placeOf(
    { name: place.shopName, translations: place.shopNameTranslations },
    { name: place.branchName, translations: place.branchNameTranslations },
  );

/** Why no time could ever seat a party of so many, `covers` guests being the most that may start together. */
const WHY_NOT: Readonly<Record<UnfitReason, (party: number, covers: number) => string>> = {
  no_tables: () => 'no table can be booked there at the moment',
  tables: (party) => `no tables there seat ${party}, whatever the time`,
  covers: (_, covers) => `the branch takes at most ${count(covers, 'guest', 'guests')} at one start`,
};

/** What is said of a party that could never be seated there, and nothing of one that could. */
const unfitOf = ({ unfit_reason: reason, largest_party, max_covers }: Times['body'], party: number) => {
  if (reason === null) return {};
  return {
    why_not: WHY_NOT[reason](party, max_covers ?? 0),
    ...(largest_party === null ? {} : { largest_party }),
  };
};

/** `soonest`: what starts before it can no longer be booked (Decisions 9, lead time). */
const slotOf = (
  { starts_at, available }: Pick<Slot, 'starts_at' | 'available'>,
  timezone: string,
  soonest: Instant,
): Slot => {
  const start = Date.parse(starts_at);
  const late = !available && start < soonest;
  return { starts_at, local: isoLocal(timezone, start), available, ...(late ? { too_soon: true } : {}) };
};

const tell = (times: BookingTimes, kept: number): Told<BookingTimes> => {
  const all = times.slots.length;
  const structured =
    kept === all
      ? times
      : {
          ...times,
          slots: times.slots.slice(0, kept),
          truncated: true,
          left_out: `Left out, to stay short: the last ${all - kept} of ${all} starts. They are on the booking page: ${times.book_url}`,
        };
  return { structured, text: say(structured) };
};

// ── Refusals ────────────────────────────────────────────────────────────────────────────────────

const unknownBranch = (id: string): string =>
  `There is no branch with the id ${shown(id)}. Branch ids come from get_shop: call it with the shop's address name and take the id of one of its branches.`;

/** Who else can help the person. */
const askInstead = ({ baseUrl }: App, { phone, slug }: BranchPlace): string => {
  const page = `the shop's page, ${baseUrl}/${slug}`;
  return phone === null ? `see ${page}` : `call the branch at ${quoted(plainText(phone))}, or see ${page}`;
};

/** Where else in the shop a table can be booked, with what the next call needs. */
const elsewhere = ({ bookableBranches }: BranchPlace): string => {
  if (bookableBranches.length === 0) return 'No branch of the shop takes them.';
  return `Branches of the shop that take them, with their ids: ${branchesWithIds(bookableBranches, (more) => ` and ${more} more`)}.`;
};

const takesNone = (app: App, place: BranchPlace): string =>
  `${placeWords(placeAt(place))} takes no table bookings online. ${elsewhere(place)} Otherwise the person can ${askInstead(app, place)}.`;

const dateRefused = (place: BranchPlace, date: LocalDate, first: LocalDate, last: LocalDate): string => {
  const today = `${longDate(first)} (${first}, today there)`;
  const range = first === last ? `for ${today} alone` : `from ${today} to ${longDate(last)} (${last})`;
  return `${longDate(date)} (${date}) cannot be booked at ${placeWords(placeAt(place))}: bookings are taken ${range}. Call again with such a date.`;
};

const partyRefused = (app: App, place: BranchPlace, asked: number, min: number, max: number): string => {
  const sizes = min === max ? `${min}` : `${min} to ${max}`;
  const other = asked > max ? 'larger' : 'smaller';
  return `${placeWords(placeAt(place))} takes bookings for parties of ${sizes}, and ${asked} ${asked === 1 ? 'was' : 'were'} asked for. For a ${other} party, the person can ${askInstead(app, place)}. For a party of ${sizes}, call again.`;
};

/** The refusal of a party, where that is what `asked` meets; null otherwise. */
const partyFault = (asked: Promise<unknown>): Promise<Refusal | null> =>
  asked.then(
    () => null,
    (thrown: unknown) => {
      if (thrown instanceof Refusal) return thrown.refusal === 'PARTY_SIZE_OUT_OF_RANGE' ? thrown : null;
      throw thrown;
    },
  );

// ── The tool ────────────────────────────────────────────────────────────────────────────────────

type Times = Awaited<ReturnType<ReturnType<typeof getBookingSlots>>>;

const isFree = ({ body }: Times): boolean => body.slots.some(({ available }) => available);

/** The branch's own answer, its refusals in words. */
const timesAt = (app: App, place: BranchPlace, { branch_id: id, date, party_size }: Args) => {
  const timesOn = (day: LocalDate) =>
    getBookingSlots(app)({ path: { id }, query: { date: day, party_size } });
  const partyWords = ({ figures }: Refusal): string =>
    partyRefused(app, place, party_size, Number(figures['min']), Number(figures['max']));
  return explained(timesOn(date), {
    NOT_FOUND: () =>
      `${placeWords(placeAt(place))} stopped taking bookings at this very moment. Call again to hear which branches take them.`,
    PARTY_SIZE_OUT_OF_RANGE: partyWords,
    DATE_OUT_OF_RANGE: async ({ figures }) => {
      const [first, last] = [String(figures['first']), String(figures['last'])];
      // All faults at once (Decisions 14), and the party is judged only where the date is right.
      const party = await partyFault(timesOn(first));
      return [dateRefused(place, date, first, last), ...(party === null ? [] : [partyWords(party)])].join(
        '\n',
      );
    },
  });
};

const DAYS_AHEAD = 7;

/** The days after `date`, looked at one by one until one has a free time for the party; the last is that one, if any. */
const daysUntilFree = async (
  app: App,
  { branch_id: id, date, party_size }: Args,
  last: LocalDate,
): Promise<Times[]> => {
  const looked: Times[] = [];
  for (let ahead = 1; ahead <= DAYS_AHEAD && !looked.some(isFree); ahead++) {
    const query = { date: addDays(date, ahead), party_size };
    if (query.date > last) break;
    try {
      looked.push(await getBookingSlots(app)({ path: { id }, query }));
    } catch (thrown) {
      // What the branch no longer takes, at this very moment, needs no looking for.
      if (thrown instanceof Refusal && !isUnavailable(thrown)) break;
      throw thrown;
    }
  }
  return looked;
};

/** Where nothing is free: the next date that has a time or, where each up to the last was looked at in vain, that one. */
const whereNext = (
  answer: Times,
  later: readonly Times[],
): Pick<BookingTimes, 'next_free_date' | 'last_date'> => {
  const { last_date } = answer.body;
  const looked = later.at(-1) ?? answer;
  if (isFree(looked)) return looked === answer ? {} : { next_free_date: looked.body.date };
  return looked.body.party_fits && looked.body.date === last_date ? { last_date } : {};
};

/** Refuses a branch that is unknown or takes no bookings, a date and a party that it does not take. */
export const bookingSlots =
  (app: App) =>
  async (args: Args): Promise<Answer<Told<BookingTimes>>> => {
    const { branch_id: id, date, party_size } = args;
    const branch = await explained(branchPlace(app)(id), { NOT_FOUND: () => unknownBranch(id) });
    const place = branch.body;
    if (!place.takesBookings) throw new Unanswerable(takesNone(app, place));
    const answer = await timesAt(app, place, args);
    const { timezone, party_fits: fits, last_date: last } = answer.body;
    const later = isFree(answer) || !fits ? [] : await daysUntilFree(app, args, last);
    // Read after the answer, so that no start which it calls taken is in truth too soon.
    const soonest = addMinutes(app.clock.now(), place.leadTimeMinutes);
    const slots = answer.body.slots.map((slot) => slotOf(slot, timezone, soonest));
    const isOnlyLate = fits && slots.length > 0 && slots.every(({ too_soon }) => too_soon);
    const times: BookingTimes = {
      shop: place.slug,
      ...placeAt(place),
      branch_id: id,
      date,
      weekday: weekdayName(date),
      timezone,
      party_size,
      slots,
      ...unfitOf(answer.body, party_size),
      ...(isOnlyLate && place.leadTimeMinutes > 0 ? { lead_minutes: place.leadTimeMinutes } : {}),
      ...whereNext(answer, later),
      book_url: `${app.baseUrl}/${place.slug}/book`,
    };
    return madeOf(
      withinLimit(slots.length, (kept) => tell(times, kept)),
      answer,
      branch,
      ...later,
    );
  };
