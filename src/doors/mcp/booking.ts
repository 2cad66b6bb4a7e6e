/** get_booking_slots (Decisions 9, 14). */
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { bookingHelp, type BookingHelp, type ShopAndBranchNames } from '../../bookings/app/booking-help.ts';
import { bookingAvailability, type BookingAvailability } from '../../bookings/app/slots.ts';
import type { BookingTimes } from '../../bookings/contract/tools.ts';
import type { ArgsOf, ToolOf } from '../../service/contract/tools.ts';
import type { CodedFault, Refusal } from '../../kernel/refusal.ts';
import type { UnfitReason } from '../../bookings/domain/seating/capacity.ts';
import { isoLocal, type LocalDate } from '../../kernel/time.ts';
import { shopAndBranchOf, shopAndBranchText, type ShopAndBranch } from './shop-and-branch.ts';
import { explained } from './refuse.ts';
import {
  branchesWithIds,
  count,
  duration,
  longDate,
  longTime,
  plainText,
  quoted,
  readLocal,
  shown,
  weekdayName,
} from './text.ts';
import { fullestWithinLimit, type ToolAnswer } from './shorten.ts';

type Args = ArgsOf<ToolOf<'get_booking_slots'>>;
type Slot = BookingTimes['slots'][number];
type Day = BookingAvailability['day'];

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

/** Local time without offset. */
const localTimeOf = ({ local }: Slot): string => local.slice(0, 16);

/**
 * Distinguishes starts with the same local time when clocks go back. Starts are sorted by instant, so the
 * change is where the local time does not increase.
 */
const clockChangeNote = (slots: readonly Slot[]): ((slot: Slot) => string) => {
  const walls = slots.map(localTimeOf);
  const change = walls.findIndex((wall, index) => index > 0 && wall <= (walls[index - 1] ?? wall));
  const [before, after, first] = [walls[change - 1], walls[change], slots[change]];
  if (before === undefined || after === undefined || first === undefined) return () => '';
  return (slot) => {
    const wall = localTimeOf(slot);
    if (wall < after || wall > before) return '';
    return slot.starts_at < first.starts_at ? ', before the clocks go back' : ', after the clocks go back';
  };
};

const isAfterMidnight =
  (date: LocalDate) =>
  ({ local }: Slot): boolean =>
    readLocal(local).date > date;

/** Includes the date when it differs from the requested one. */
const slotLine =
  (date: LocalDate, noteOf: (slot: Slot) => string) =>
  (slot: Slot): string => {
    const local = readLocal(slot.local);
    const when = local.date === date ? local.time : longTime(slot.local);
    return `- ${when}${noteOf(slot)} (${slot.starts_at})`;
  };

const starts = (amount: number): string => `${amount} ${amount === 1 ? 'start is' : 'starts are'}`;

/** `8 starts are taken and 3 are past or too soon`. */
const whyNone = ({ why_not, lead_minutes: lead }: BookingTimes, taken: number, late: number): string => {
  if (why_not !== undefined) return why_not;
  if (late === 0) return `${starts(taken)} taken`;
  if (taken > 0) return `${starts(taken)} taken and ${late} ${late === 1 ? 'is' : 'are'} past or too soon`;
  const ahead = lead === undefined ? '' : `, as a table is booked at least ${duration(lead)} ahead`;
  return `${starts(late)} past or too soon${ahead}`;
};

/** `free`, `taken` and `late` count the whole day, listed or not. */
const headline = (times: BookingTimes, free: number, taken: number, late: number): string => {
  const where = `on ${longDate(times.date)} at ${shopAndBranchText(times)}`;
  if (free + taken + late === 0) {
    const never = times.why_not === undefined ? '' : `, and ${times.why_not}`;
    return `No bookings are taken ${where}: it is closed for bookings that day${never}.`;
  }
  const party = `for ${times.party_size} ${where}`;
  if (free === 0) return `No free times ${party}; ${whyNone(times, taken, late)}.`;
  return `${count(free, 'free time', 'free times')} ${party}.`;
};

/** Never an alternative that is known to fail. */
const nextLine = (times: BookingTimes, free: number): string[] => {
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
  if (free > 0) return [];
  return ['A later date may have times.'];
};

const isFree = ({ available }: Slot): boolean => available;
const isLate = ({ too_soon }: Slot): boolean => too_soon === true;
const isTaken = (slot: Slot): boolean => !isFree(slot) && !isLate(slot);

/** `all`: every start of the day; `times` may list fewer. */
const textFor = (times: BookingTimes, all: readonly Slot[]): string => {
  const free = all.filter(isFree).length;
  const line = slotLine(times.date, clockChangeNote(all));
  const list = (title: string, slots: readonly Slot[]): string[] =>
    slots.length === 0 ? [] : [title, ...slots.map(line)];
  return [
    headline(times, free, all.filter(isTaken).length, all.filter(isLate).length),
    ...(times.left_out === undefined ? [] : [times.left_out]),
    ...nextLine(times, free),
    all.length === 0
      ? `The branch's time zone is ${times.timezone}.`
      : `Times are on the branch's clock (${times.timezone}), each with its UTC start in brackets.`,
    ...(times.slots.some(isAfterMidnight(times.date))
      ? [`A start after midnight belongs to the evening before, and is listed under its date.`]
      : []),
    ...list('Free:', times.slots.filter(isFree)),
    ...list(
      times.why_not === undefined
        ? `Taken (no room for ${times.party_size}):`
        : `Not for ${times.party_size}:`,
      times.slots.filter(isTaken),
    ),
    ...list('Past, or too soon to be booked:', times.slots.filter(isLate)),
    `Nothing is booked here. To book, the person opens ${times.book_url}`,
    `shop: ${times.shop}, date: ${times.date}, branch_id: ${times.branch_id}`,
  ].join('\n');
};

// ── Object ──────────────────────────────────────────────────────────────────────────────────────

const shopAndBranchAt = (names: ShopAndBranchNames): ShopAndBranch =>
  shopAndBranchOf(
    { name: names.shopName, translations: names.shopNameTranslations },
    { name: names.branchName, translations: names.branchNameTranslations },
  );

/** `covers` is the maximum of guests per start. */
const WHY_NOT: Readonly<Record<UnfitReason, (party: number, covers: number) => string>> = {
  no_tables: () => 'no table can be booked there at the moment',
  tables: (party) => `no tables there seat ${party}, whatever the time`,
  covers: (_, covers) => `the branch takes at most ${count(covers, 'guest', 'guests')} at one start`,
};

/** Empty when the party could be seated. */
const unfitOf = ({ unfit_reason: reason, largest_party, max_covers }: Day, party: number) => {
  if (reason === null) return {};
  return {
    why_not: WHY_NOT[reason](party, max_covers ?? 0),
    ...(largest_party === null ? {} : { largest_party }),
  };
};

const slotOf = ({ starts_at, available, reason }: Day['slots'][number], timezone: string): Slot => ({
  starts_at,
  local: isoLocal(timezone, Date.parse(starts_at)),
  available,
  ...(reason === 'too_soon' ? { too_soon: true } : {}),
});

/** `3 of 720 free times and all 720 other starts`. */
const leftOut = (free: number, allFree: number, other: number, allOther: number): string => {
  const some = (left: number, all: number, what: string): string[] =>
    left === 0 ? [] : [left === all ? `all ${all} ${what}` : `${left} of ${all} ${what}`];
  return [...some(free, allFree, 'free times'), ...some(other, allOther, 'starts that are not free')].join(
    ' and ',
  );
};

/** Drops starts that are not free first, then free ones, the latest first. */
const shortened = (times: BookingTimes): ToolAnswer<BookingTimes> => {
  const all = times.slots;
  const free = all.filter(isFree);
  const other = all.filter((slot) => !isFree(slot));
  const render = (keptFree: number, keptOther: number): ToolAnswer<BookingTimes> => {
    const kept = new Set([...free.slice(0, keptFree), ...other.slice(0, keptOther)]);
    if (kept.size === all.length) return { structured: times, text: textFor(times, all) };
    const missing = leftOut(free.length - keptFree, free.length, other.length - keptOther, other.length);
    const structured = {
      ...times,
      slots: all.filter((slot) => kept.has(slot)),
      truncated: true,
      left_out: `Left out, to stay short: ${missing}. They are on the booking page: ${times.book_url}`,
    };
    return { structured, text: textFor(structured, all) };
  };
  const others = { entries: other.length, render: (kept: number) => render(free.length, kept) };
  return fullestWithinLimit([others], { entries: free.length, render: (kept) => render(kept, 0) });
};

// ── Refusals ────────────────────────────────────────────────────────────────────────────────────

const unknownBranch = (id: string): string =>
  `There is no branch with the id ${shown(id)}. Branch ids come from get_shop: call it with the shop's address name and take the id of one of its branches.`;

const askInstead = ({ baseUrl }: App, { phone, names }: BookingHelp): string => {
  const page = `the shop's page, ${baseUrl}/${names.slug}`;
  return phone === null ? `see ${page}` : `call the branch at ${quoted(plainText(phone))}, or see ${page}`;
};

const elsewhere = ({ bookableBranches }: BookingHelp): string => {
  if (bookableBranches.length === 0) return 'No branch of the shop takes them.';
  return `Branches of the shop that take them, with their ids: ${branchesWithIds(bookableBranches, (more) => ` and ${more} more`)}.`;
};

const takesNone = (app: App, help: BookingHelp): string => {
  const where = shopAndBranchText(shopAndBranchAt(help.names));
  // Bookings were enabled after the refusal.
  if (help.takesBookings)
    return `${where} began to take bookings at this very moment. Call again to hear its times.`;
  return `${where} takes no table bookings online. ${elsewhere(help)} Otherwise the person can ${askInstead(app, help)}.`;
};

const dateRefused = (
  names: ShopAndBranchNames,
  date: LocalDate,
  first: LocalDate,
  last: LocalDate,
): string => {
  const today = `${longDate(first)} (${first}, today there)`;
  const range = first === last ? `for ${today} alone` : `from ${today} to ${longDate(last)} (${last})`;
  return `${longDate(date)} (${date}) cannot be booked at ${shopAndBranchText(shopAndBranchAt(names))}: bookings are taken ${range}. Call again with such a date.`;
};

const partyRefused = (app: App, help: BookingHelp, asked: number, min: number, max: number): string => {
  const sizes = min === max ? `${min}` : `${min} to ${max}`;
  const other = asked > max ? 'larger' : 'smaller';
  return `${shopAndBranchText(shopAndBranchAt(help.names))} takes bookings for parties of ${sizes}, and ${asked} ${asked === 1 ? 'was' : 'were'} asked for. For a ${other} party, the person can ${askInstead(app, help)}. For a party of ${sizes}, call again.`;
};

/** Every refused argument, one line each (Decisions 14). */
const notTaken = (
  app: App,
  help: BookingHelp,
  { date, party_size }: Args,
  faults: readonly CodedFault[],
): string =>
  faults
    .map(({ refusal, figures }) =>
      refusal === 'DATE_OUT_OF_RANGE'
        ? dateRefused(help.names, date, String(figures['first']), String(figures['last']))
        : partyRefused(app, help, party_size, Number(figures['min']), Number(figures['max'])),
    )
    .join('\n');

// ── The tool ────────────────────────────────────────────────────────────────────────────────────

const outlookFor = (app: App, args: Args): Promise<Answer<BookingAvailability>> => {
  const { branch_id: id, date, party_size } = args;
  const helpAt = () => explained(bookingHelp(app)(id), { NOT_FOUND: () => unknownBranch(id) });
  const refused = async ({ coded }: Refusal) => notTaken(app, await helpAt(), args, coded);
  return explained(bookingAvailability(app)(id, date, party_size), {
    NOT_FOUND: async () => takesNone(app, await helpAt()),
    DATE_OUT_OF_RANGE: refused,
    PARTY_SIZE_OUT_OF_RANGE: refused,
  });
};

export const bookingSlots =
  (app: App) =>
  async (args: Args): Promise<Answer<ToolAnswer<BookingTimes>>> => {
    const { branch_id: id, date, party_size } = args;
    const answer = await outlookFor(app, args);
    const { names, leadMinutes, day, nextFreeDate, noneUntil } = answer.body;
    const slots = day.slots.map((slot) => slotOf(slot, day.timezone));
    const isOnlyLate = day.party_fits && slots.length > 0 && slots.every(({ too_soon }) => too_soon);
    const times: BookingTimes = {
      shop: names.slug,
      ...shopAndBranchAt(names),
      branch_id: id,
      date,
      weekday: weekdayName(date),
      timezone: day.timezone,
      party_size,
      slots,
      ...unfitOf(day, party_size),
      ...(isOnlyLate && leadMinutes > 0 ? { lead_minutes: leadMinutes } : {}),
      ...(nextFreeDate === null ? {} : { next_free_date: nextFreeDate }),
      ...(noneUntil === null ? {} : { last_date: noneUntil }),
      book_url: `${app.baseUrl}/${names.slug}/book`,
    };
    return { ...answer, body: shortened(times) };
  };
