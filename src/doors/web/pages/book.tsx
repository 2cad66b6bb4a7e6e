/** `/{slug}/book`: a table is booked. `?branch=&date=&party=` choose beforehand. */
import { getBookingInfo, listBookingBranches } from '../../../bookings/app/branches.ts';
import { getBookingSlots } from '../../../bookings/app/slots.ts';
import { parseLocalDate, type LocalDate } from '../../../kernel/time.ts';
import { combineAnswers, type Answer } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { getBrand } from '../../../shops/app/shop.ts';
import type * as contracts from '../../../bookings/contract/branches.ts';
import type * as slotContracts from '../../../bookings/contract/slots.ts';
import { bookingBranchOf, BranchCard } from '../booking-branch.tsx';
import { BookScreen, type BookProps } from '../components/booking/book-screen.tsx';
import type { BookingBranch } from '../components/booking/branch.ts';
import type { Choice } from '../components/booking/picker-props.ts';
import { datesBetween } from '../components/booking/times.ts';
import { dateText, figure, telephone } from '../components/format.ts';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { translated } from '../components/names.ts';
import { useMessages, useReader, type Reader } from '../components/reader.ts';
import { booking } from '../messages/compiled/booking.ts';
import { pageEndpoint, type Page, type PageInput } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf, slugIn } from '../shop-frame.ts';
import { manifestAddress } from './manifest.ts';
import type { getBrand as brandContract } from '../../../shops/contract/shop.ts';

type Brand = ReplyOf<typeof brandContract>;
type Info = ReplyOf<typeof contracts.getBookingInfo>;
type Listed = ReplyOf<typeof contracts.listBookingBranches>;
type Slots = ReplyOf<typeof slotContracts.getBookingSlots>;

/** Most guests come in twos. */
const USUAL_PARTY = 2;

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** What the address asks for, and in words what of it cannot be had. */
const wishesOf = ({ query }: PageInput, branch: BookingBranch, reader: Reader) => {
  const t = booking[reader.language];
  const { minParty, maxParty, firstDate, lastDate } = branch;
  const asked = /^\d{1,4}$/.test(query['party'] ?? '') ? Number(query['party']) : null;
  const party = clamp(asked ?? USUAL_PARTY, minParty, maxParty);
  const date = parseLocalDate(query['date'] ?? '');
  const isWithin = date !== null && firstDate <= date && date <= lastDate;
  const words = [
    ...(asked === null || asked === party
      ? []
      : [t.partyBounds({ min: figure(reader, minParty), max: figure(reader, maxParty) })]),
    ...(date === null || isWithin
      ? []
      : [t.dateBounds({ first: dateText(reader, firstDate), last: dateText(reader, lastDate) })]),
  ];
  return { party, date: isWithin ? date : null, notice: words.length === 0 ? null : words.join(' ') };
};

/** Dates that are looked at for a free time, where the address names none. */
const DATES_TRIED = 3;

const datesFor = ({ firstDate, lastDate, closedDates }: BookingBranch, date: LocalDate | null) => {
  if (date !== null) return [date];
  const open = datesBetween(firstDate, lastDate).filter((each) => !closedDates.includes(each));
  return open.length === 0 ? [firstDate] : open.slice(0, DATES_TRIED);
};

/** Of the first of the dates with a free time, else of the first date. */
const slotsOf = async (
  app: App,
  branchId: string,
  partySize: number,
  dates: readonly LocalDate[],
): Promise<Answer<Slots>> => {
  const answers: Answer<Slots>[] = [];
  for (const date of dates) {
    const answer = await getBookingSlots(
      app,
      () => undefined,
    )({
      path: { id: branchId },
      query: { date, party_size: partySize },
    });
    answers.push(answer);
    if (!answer.body.party_fits || answer.body.slots.some(({ available }) => available)) break;
  }
  const [first, ...others] = answers;
  if (first === undefined) throw new Error('There is a date to look at.');
  const found = answers.find(({ body }) => body.slots.some(({ available }) => available)) ?? first;
  return combineAnswers(found.body, first, ...others);
};

interface BookPageProps {
  readonly brand: Brand;
  readonly branches: Listed;
  /** Null: no branch takes bookings. */
  readonly island: BookProps | null;
}

const addressOf = (branchId: string, { party, date }: Choice): string =>
  `branch=${branchId}&date=${date}&party=${party}`;

const BranchLinks = ({ branches, island }: { readonly branches: Listed; readonly island: BookProps }) => {
  const t = useMessages(booking);
  const { language } = useReader();
  if (branches.length < 2) return null;
  return (
    <nav class="branches" aria-label={t.branch}>
      <ul>
        {branches.map((branch) => (
          <li key={branch.id}>
            <a
              class="choice"
              href={`?${addressOf(branch.id, island.choice)}`}
              aria-current={branch.id === island.branch.id ? 'page' : undefined}
            >
              <bdi>{translated(language, branch)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const NoBranch = () => {
  const t = useMessages(booking);
  return (
    <section class="state">
      <Icon name="calendar" />
      <h1>{t.noBranch}</h1>
      <p>{t.noBranchHint}</p>
    </section>
  );
};

const ignore = (): void => undefined;

const BookPage = ({ brand, branches, island }: BookPageProps) => {
  const t = useMessages(booking);
  const { language } = useReader();
  const shop = shopFrameOf(brand, language);
  if (island === null)
    return (
      <Frame shop={shop}>
        <NoBranch />
      </Frame>
    );
  const { branch, choice, slots, notice } = island;
  return (
    <Frame shop={shop} query={`${addressOf(branch.id, choice)}&`}>
      <div class="book">
        <h1>{t.title}</h1>
        <BranchLinks branches={branches} island={island} />
        {branch.phone !== null && (
          <noscript>
            <p class="notice">
              <Icon name="phone" />
              <span>
                {t.howTo}{' '}
                <a href={telephone(branch.phone)}>
                  <bdi dir="ltr">{branch.phone}</bdi>
                </a>
              </span>
            </p>
          </noscript>
        )}
        <div id="island">
          <BookScreen
            {...{ branch, choice, notice, taken: null, chosen: null, ownZone: null, isAlive: false }}
            times={{ kind: 'listed', slots }}
            {...{ onChoice: ignore, onTime: ignore, onRetry: ignore }}
          />
        </div>
        <BranchCard branch={branch} />
      </div>
    </Frame>
  );
};

interface Loaded {
  readonly info: Answer<Info>;
  readonly slots: Answer<Slots>;
  readonly island: BookProps;
}

const loadBranch = async (app: App, input: PageInput, reader: Reader, id: string): Promise<Loaded> => {
  const info = await getBookingInfo(app)({ path: { id } });
  const branch = bookingBranchOf(info.body, reader);
  const { party, date, notice } = wishesOf(input, branch, reader);
  const slots = await slotsOf(app, id, party, datesFor(branch, date));
  const choice = { party, date: slots.body.date };
  return { info, slots, island: { branch, choice, slots: slots.body, notice } };
};

export const bookPage: Page = {
  endpoint: pageEndpoint('bookPage', '/{slug}/book', {
    query: ['branch', 'date', 'party'],
    limit: 'booking_and_loyalty_reads',
  }),
  handler: (parts) => async (input) => {
    const { app } = parts;
    const brand = await getBrand(app)({ query: { slug: slugIn(input) } });
    const reader = readerOf(input, brand.body);
    const branches = await listBookingBranches(app)({ query: { org_id: brand.body.org_id } });
    const asked = input.query['branch']?.toLowerCase();
    const chosen = branches.body.find(({ id }) => id === asked) ?? branches.body[0];
    const loaded = chosen === undefined ? null : await loadBranch(app, input, reader, chosen.id);
    const island = loaded?.island ?? null;
    const title = booking[reader.language].titleAt({ shop: translated(reader.language, brand.body) });
    const content = shopDocument(parts, input, brand.body, {
      reader,
      title,
      description: title,
      canonical: `/${brand.body.slug ?? ''}/book`,
      styles: ['booking'],
      body: <BookPage brand={brand.body} branches={branches.body} island={island} />,
      ...(island === null ? {} : { island: { name: 'book', props: island } }),
      manifest: manifestAddress(brand.body, reader.language),
    });
    const others = loaded === null ? [] : [loaded.info, loaded.slots];
    return combineAnswers(content, brand, branches, ...others);
  },
};
