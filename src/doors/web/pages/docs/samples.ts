/** Requests that can be sent as they stand: with the ids of the demo shops where there are some, else with examples. */
import { getBookingInfo, listBookingBranches } from '../../../../bookings/app/branches.ts';
import type { Endpoint } from '../../../../platform/contract/endpoint.ts';
import { parametersOf, type Parameter } from '../../../../service/contract/operation.ts';
import type { TrialField, TrialOperation } from '../../components/trial.ts';
import { requestLine } from '../../components/trial.ts';
import { listBranches } from '../../../../shops/app/shop.ts';
import type { PageParts } from '../../page.ts';

export interface Samples {
  readonly slug: string;
  readonly shop: string;
  readonly branch: string;
  /** A branch where tables can be booked, and its date of today. */
  readonly bookable: string;
  readonly today: string;
  readonly order: string;
  readonly table: string;
  /** The token of a member's card. */
  readonly card: string;
}

const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

/** The ids of the examples; nothing has them. */
export const EXAMPLES: Samples = {
  ...{ slug: 'beit-el-bunn', shop: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10', branch: BRANCH, bookable: BRANCH },
  ...{ today: '2026-12-04', order: BRANCH, table: BRANCH },
  card: 'M3kT0qV9xYbZ2mN8pR5sLwA',
};

/** Null: there are no demo shops. */
export const samplesOf = async ({ app, demo }: PageParts): Promise<Samples | null> => {
  const contents = demo === null ? null : await demo();
  const shop = contents?.shops[0];
  if (contents === null || shop === undefined) return null;
  const branches = (await listBranches(app)({ query: { org_id: shop.orgId } })).body;
  const branch = branches.find((each) => each.pickup_enabled && each.outside_enabled) ?? branches[0];
  if (branch === undefined) return null;
  const bookable = await Promise.all(
    contents.shops.map(({ orgId }) => listBookingBranches(app)({ query: { org_id: orgId } })),
  );
  const booking = bookable.flatMap(({ body }) => body)[0] ?? branch;
  const { today } = (await getBookingInfo(app)({ path: { id: booking.id } })).body;
  return {
    ...{ slug: shop.slug, shop: shop.orgId, branch: branch.id, bookable: booking.id, today },
    order: contents.orders[0]?.id ?? EXAMPLES.order,
    table: contents.tables[0]?.id ?? EXAMPLES.table,
    card: contents.members[0]?.memberToken ?? EXAMPLES.card,
  };
};

const idIn = ({ path }: Endpoint, samples: Samples): string => {
  if (path.startsWith('/public/tables/')) return samples.table;
  if (path.startsWith('/public/delivery-orders/')) return samples.order;
  return path.includes('/booking') ? samples.bookable : samples.branch;
};

const exampleOf = ({ scalar }: Parameter): string => {
  const { examples }: { readonly examples?: unknown } = scalar.schema;
  return Array.isArray(examples) ? String(examples[0]) : '';
};

const sampleOf = (e: Endpoint, parameter: Parameter, samples: Samples): string => {
  const values: Readonly<Record<string, string>> = {
    ...{
      id: idIn(e, samples),
      member_token: samples.card,
      slug: samples.slug,
      branch_id: samples.branch,
      date: samples.today,
    },
    ...{ org_id: parameter.required ? samples.shop : '', preview: 'true' },
    channel: e.id === 'quoteDelivery' ? 'outside' : 'pickup',
  };
  return values[parameter.name] ?? exampleOf(parameter);
};

const fieldOf = (e: Endpoint, parameter: Parameter, samples: Samples): TrialField => {
  const { name, in: place, required } = parameter;
  return { name, place, isRequired: required, value: sampleOf(e, parameter, samples) };
};

/** Reads that people may send from the page. Those of the staff need a token. */
export const isTried = ({ method, access }: Endpoint): boolean => method === 'GET' && access === undefined;

export const trialOf = (e: Endpoint, samples: Samples): TrialOperation => ({
  id: e.id,
  path: e.path,
  fields: parametersOf(e).map((parameter) => fieldOf(e, parameter, samples)),
});

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command line that sends the request. */
export const commandFor = (baseUrl: string, e: Endpoint, samples: Samples): string => {
  const { address, headers } = requestLine(trialOf(e, samples));
  const body = Object.values(e.examples).find((example) => example.body !== undefined)?.body;
  const parts = [
    ...(e.method === 'GET' || e.method === 'POST' ? [] : [`-X ${e.method}`]),
    quoted(`${baseUrl}${address}`),
    ...(e.method === 'POST' && body === undefined ? ['-X POST'] : []),
    ...(e.path === '/' ? [`-H 'Accept: application/json'`] : []),
    ...(e.access === undefined || e.access.by === 'anyone' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
};
