/** The pages of the reference: which operations and shapes are on which, in the order in which developers need them. */
import { lazy } from '../../../../kernel/lazy.ts';
import { REFUSALS, type RefusalName } from '../../../../kernel/refusal.ts';
import type { Endpoint } from '../../../../platform/contract/endpoint.ts';
import type { Audience } from '../../../../service/contract/audiences.ts';
import { anchorOf, type Block } from '../../../../service/contract/document-blocks.ts';
import { endpoints, staffEndpoints } from '../../../../service/contract/endpoints.ts';
import { eventBlocks } from '../../../../service/contract/event-reference.ts';
import { shapesOf } from '../../../../service/contract/shapes.ts';
import { rowBlocks, syncBlocks } from '../../../../service/contract/sync-reference.ts';
import { webhookBlocks } from '../../../../service/contract/webhook-reference.ts';
import { tools } from '../../../../service/contract/tools.ts';
import type { Tool } from '../../../../platform/contract/tool.ts';

/** Names of pages, which are those of their titles. */
export type PageName =
  | 'start'
  | 'shops'
  | 'carts'
  | 'orders'
  | 'codes'
  | 'bookings'
  | 'loyalty'
  | 'tables'
  | 'webhooks'
  | 'tools'
  | 'errors'
  | 'errorsAbove'
  | 'staff'
  | 'staffBoard'
  | 'staffSale'
  | 'staffTickets'
  | 'staffBills'
  | 'staffTables'
  | 'staffSales'
  | 'staffTills'
  | 'staffKitchen'
  | 'staffBookings'
  | 'staffMembers'
  | 'staffReports'
  | 'staffPeople'
  | 'staffSync'
  | 'staffSyncGuide'
  | 'staffSyncEvents'
  | 'staffSyncRows';

export interface ReferencePage {
  readonly name: PageName;
  readonly path: string;
  readonly audience: Audience;
  readonly operations: readonly Endpoint[];
}

/** Tags, and ids of operations that stand apart from the others of their tag. */
type Tagged = readonly [name: PageName, ...tags: readonly string[]];

const PUBLIC_PAGES: readonly Tagged[] = [
  ['start'],
  ['shops', 'Shop', 'Menu', 'Service'],
  ['carts', 'Carts'],
  ['orders', 'Orders'],
  ['codes', 'Codes'],
  ['bookings', 'Booking'],
  ['loyalty', 'Loyalty'],
  ['tables', 'Tables'],
  ['webhooks'],
  ['tools'],
  ['errors'],
  ['errorsAbove'],
];

const STAFF_PAGES: readonly Tagged[] = [
  ['staff', 'Sign-in', 'Own account', 'Second factors'],
  ['staffBoard', 'Board'],
  ['staffSale', 'Sale'],
  ['staffTickets', 'Tickets'],
  ['staffBills', 'getTicketBill', 'payTicketPart', 'undoTicketPayment', 'settleTicket'],
  ['staffTables', 'Tables'],
  ['staffSales', 'Sales'],
  ['staffTills', 'Tills'],
  ['staffKitchen', 'Kitchen'],
  ['staffBookings', 'Bookings'],
  ['staffMembers', 'Members'],
  ['staffReports', 'Reports'],
  ['staffPeople', 'People'],
  ['staffSync', 'Sync'],
  ['staffSyncGuide'],
  ['staffSyncEvents'],
  ['staffSyncRows'],
];

const pathOf = (name: PageName): string =>
  name === 'start' ? '/docs' : `/docs/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const TABLES: Readonly<Record<Audience, readonly Endpoint[]>> = {
  public: Object.values(endpoints),
  staff: Object.values(staffEndpoints),
};

const APART: ReadonlySet<string> = new Set(STAFF_PAGES.flatMap(([, ...tags]) => tags));

const pagesOf = (audience: Audience, pages: readonly Tagged[]): readonly ReferencePage[] =>
  pages.map(([name, ...tags]) => ({
    ...{ name, audience, path: pathOf(name) },
    operations: tags.flatMap((tag) =>
      TABLES[audience].filter((e) => e.id === tag || (e.tag === tag && !APART.has(e.id))),
    ),
  }));

export const REFERENCE_PAGES: readonly ReferencePage[] = [
  ...pagesOf('public', PUBLIC_PAGES),
  ...pagesOf('staff', STAFF_PAGES),
];

type Shapes = ReturnType<typeof shapesOf>;

/** No start waits for it: only the reference needs it. */
const shapesByPage = lazy((): ReadonlyMap<PageName, Shapes> => {
  const placed = new Set<string>(['ErrorBody']);
  return new Map(
    REFERENCE_PAGES.map(({ name: page, operations }) => {
      const shapes = shapesOf(operations).filter(([name]) =>
        name === 'ErrorBody' ? page === 'errors' : !placed.has(name),
      );
      for (const [name] of shapes) placed.add(name);
      return [page, shapes];
    }),
  );
});

/** Shapes that no page before needs. */
export const shapesOn = (page: PageName): Shapes => shapesByPage().get(page) ?? [];

export const placeOf = ({ method, path }: Endpoint): string => anchorOf(`${method} ${path}`);
export const toolPlace = ({ name }: Tool): string => `tool-${name.replaceAll('_', '-')}`;
export const errorPlace = (name: RefusalName): string => `error-${anchorOf(name)}`;
export const shapePlace = (name: string): string => name.toLowerCase();

export const ALL_TOOLS: readonly Tool[] = Object.values(tools);
export const REFUSAL_NAMES = (Object.keys(REFUSALS) as RefusalName[]).toSorted(
  (a, b) => REFUSALS[a].status - REFUSALS[b].status,
);

/** Errors are on two pages, by status. */
export const errorsOn = (page: PageName): readonly RefusalName[] => {
  if (page !== 'errors' && page !== 'errorsAbove') return [];
  return REFUSAL_NAMES.filter((name) => REFUSALS[name].status <= 404 === (page === 'errors'));
};

/** Pages of text, as the Markdown documents have it. */
const GUIDES: Readonly<Partial<Record<PageName, () => readonly Block[]>>> = {
  webhooks: webhookBlocks,
  staffSyncGuide: syncBlocks,
  staffSyncEvents: eventBlocks,
  staffSyncRows: rowBlocks,
};

/** Without a title, which the page has. */
const guides = lazy(
  () =>
    new Map(
      Object.entries(GUIDES).map(([page, blocks]) => [
        page,
        blocks().filter((block) => block.kind !== 'heading' || block.level > 1),
      ]),
    ),
);

export const guideOn = (page: PageName): readonly Block[] => guides().get(page) ?? [];

/** Of the text of a page. */
export const headingsOn = (page: PageName): readonly { readonly place: string; readonly text: string }[] =>
  guideOn(page).flatMap((block) =>
    block.kind === 'heading' ? [{ place: anchorOf(block.text), text: block.text }] : [],
  );

/** The path of the page on which a place is. */
const paths = lazy(
  (): ReadonlyMap<string, string> =>
    new Map([
      ...REFERENCE_PAGES.flatMap(({ name: page, path, operations }) => [
        ...headingsOn(page).map(({ place }) => [place, path] as const),
        ...operations.map((e) => [placeOf(e), path] as const),
        ...errorsOn(page).map((name) => [errorPlace(name), path] as const),
        ...shapesOn(page).map(([name]) => [shapePlace(name), path] as const),
      ]),
      ...ALL_TOOLS.map((tool) => [toolPlace(tool), pathOf('tools')] as const),
    ]),
);

/** The address of a place in the reference. */
export const addressOf = (place: string): string => `${paths().get(place) ?? ''}#${place}`;
