import { DEMO_PASSWORD, DEMO_PIN, type DemoPlaces } from './service/app/demo.ts';

/** Demo staff have the same secrets everywhere. */
const describeStaff = (baseUrl: string, { owners }: DemoPlaces): string[] =>
  owners.length === 0
    ? []
    : [
        `  staff, who POST /staff/sign-in; all they do is in ${baseUrl}/openapi-staff.json`,
        ...owners.map(({ email, slug }) => `    ${email}  password ${DEMO_PASSWORD}; ${slug}`),
        `    PIN ${DEMO_PIN}  everybody's, at a device that an owner has paired`,
      ];

export const describePlaces = (baseUrl: string, places: DemoPlaces): string[] => [
  ...places.shops.flatMap(({ slug, orgId, branches }) => [
    `  ${slug}`,
    `    ${baseUrl}/public/orgs/links?slug=${slug}`,
    `    ${baseUrl}/public/branches?org_id=${orgId}&browse=true`,
    ...branches.map(({ id, name }) => `    ${baseUrl}/public/branches/${id}/menu  ${name}`),
  ]),
  ...(places.tables.length === 0 ? [] : ['  tables']),
  ...places.tables.map(
    ({ id, slug, branch, label }) => `    ${baseUrl}/public/tables/${id}  ${slug}, ${branch}, ${label}`,
  ),
  ...(places.orders.length === 0 ? [] : ['  orders']),
  ...places.orders.map(
    ({ id, shop, status }) => `    ${baseUrl}/public/delivery-orders/${id}/track  ${shop}, ${status}`,
  ),
  ...describeStaff(baseUrl, places),
];

/** Printed once the server listens. */
export const banner = (baseUrl: string, places: DemoPlaces): string =>
  [
    '',
    `Ahwa answers at ${baseUrl}`,
    `  ${baseUrl}/docs          the API, for people`,
    `  ${baseUrl}/openapi.json  the same, for programs`,
    `  ${baseUrl}/llms.txt      for AI assistants, whose tool server is at /mcp`,
    ...(places.shops.length === 0 ? [] : ['', 'Demo shops', ...describePlaces(baseUrl, places)]),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
