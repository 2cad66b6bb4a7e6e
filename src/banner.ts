import { DEMO_PASSWORD, DEMO_PIN, type DemoContents } from './service/app/demo.ts';

/** Demo staff have the same secrets everywhere. */
const describeStaff = (baseUrl: string, { owners }: DemoContents): string[] =>
  owners.length === 0
    ? []
    : [
        `  staff, who POST /staff/sign-in; all they do is in ${baseUrl}/openapi-staff.json`,
        ...owners.map(({ email, slug }) => `    ${email}  password ${DEMO_PASSWORD}; ${slug}`),
        `    PIN ${DEMO_PIN}  everybody's, at a device that an owner has paired`,
      ];

export const describeDemo = (baseUrl: string, contents: DemoContents): string[] => [
  ...contents.shops.flatMap(({ slug, orgId, branches }) => [
    `  ${baseUrl}/${slug}`,
    `    ${baseUrl}/${slug}/menu`,
    '    and for programs',
    `    ${baseUrl}/public/orgs/links?slug=${slug}`,
    `    ${baseUrl}/public/branches?org_id=${orgId}&browse=true`,
    ...branches.map(({ id, name }) => `    ${baseUrl}/public/branches/${id}/menu  ${name}`),
  ]),
  ...(contents.tables.length === 0 ? [] : ['  tables, as their QR codes open them']),
  ...contents.tables.map(
    ({ id, slug, branch, label }) => `    ${baseUrl}/t/${id}  ${slug}, ${branch}, ${label}`,
  ),
  ...(contents.orders.length === 0 ? [] : ['  orders']),
  ...contents.orders.map(({ id, shop, status }) => `    ${baseUrl}/track/${id}  ${shop}, ${status}`),
  ...(contents.members.length === 0 ? [] : ['  loyalty cards, which whoever has the link holds']),
  ...contents.members.map(
    ({ shop, name, memberToken }) => `    ${baseUrl}/card/${memberToken}  ${shop}, ${name}`,
  ),
  ...describeStaff(baseUrl, contents),
];

/** Printed once the server listens. */
export const banner = (baseUrl: string, contents: DemoContents): string =>
  [
    '',
    `Ahwa answers at ${baseUrl}`,
    `  ${baseUrl}/docs          the API, for people`,
    `  ${baseUrl}/openapi.json  the same, for programs`,
    `  ${baseUrl}/llms.txt      for AI assistants, whose tool server is at /mcp`,
    ...(contents.shops.length === 0 ? [] : ['', 'Demo shops', ...describeDemo(baseUrl, contents)]),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
