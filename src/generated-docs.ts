/** A law test fails when a generated file is stale. */
import { menuCsvReference } from './shopfile/app/menu-csv/reference.ts';
import { shopFileJsonSchema } from './shopfile/app/shopfile.ts';
import { configReference } from './config.ts';
import { endpoints, staffEndpoints } from './service/contract/endpoints.ts';
import { apiReference, errorReference, staffReference } from './service/contract/openapi-document.ts';
import { syncReference } from './service/contract/sync-reference.ts';
import { toolReference } from './service/contract/tool-reference.ts';
import { webhookReference } from './service/contract/webhook-reference.ts';

export const configDocument = (): string =>
  [
    '# Settings',
    '',
    'Every setting is an environment variable; an empty one counts as not set. A wrong value stops the start with a',
    'sentence that names it. This page is written from `src/config/settings.ts`.',
    '',
    ...configReference.flatMap(({ key, standard, allowed, doc, secret }) => [
      `## ${key}`,
      '',
      doc,
      '',
      `- Default: ${standard}`,
      `- Allowed: ${allowed}`,
      ...(secret ? ['- Its value is never shown'] : []),
      '',
    ]),
  ].join('\n');

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Method and path of every public operation, for the client: without shapes, so that a browser loads no schema library.
 */
const clientOperations = (): string =>
  [
    "import type { EndpointOf, OperationId } from '../service/contract/endpoints.ts';",
    '',
    'type Operations = {',
    "  readonly [Id in OperationId]: { readonly method: EndpointOf<Id>['method']; readonly path: string };",
    '};',
    '',
    '/** Written by `npm run ahwa -- docs` from the endpoint table. */',
    'export const operations = {',
    ...Object.values(endpoints).map(
      ({ id, method, path }) => `  ${id}: { method: '${method}', path: '${path}' },`,
    ),
    '} as const satisfies Operations;',
    '',
  ].join('\n');

/** Path of a generated file, from the root of the repository, to its content. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'docs/api.md': apiReference(endpoints),
  'docs/staff-api.md': staffReference(staffEndpoints),
  'docs/errors.md': errorReference(),
  'docs/tools.md': toolReference(),
  'docs/config.md': configDocument(),
  'docs/sync.md': syncReference(),
  'docs/webhooks.md': webhookReference(),
  'docs/menu-csv.md': menuCsvReference(),
  'docs/shop-file.schema.json': asJson(shopFileJsonSchema()),
  'src/client/operations.ts': clientOperations(),
});
