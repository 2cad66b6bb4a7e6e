/** The files of docs/ that are written from the code; a law test fails when one is stale. */
import { menuCsvReference } from './shopfile/app/menu-csv/reference.ts';
import { shopFileJsonSchema } from './shopfile/app/shopfile.ts';
import { configReference } from './config.ts';
import { endpoints, staffEndpoints } from './service/contract/index.ts';
import { apiReference, errorReference, staffReference } from './service/contract/publish.ts';
import { toolReference } from './service/contract/toolreference.ts';

/** docs/config.md. */
export const configDocument = (): string =>
  [
    '# Settings',
    '',
    'Every setting is an environment variable; an empty one counts as not set. A wrong value stops the start with a',
    'sentence that names it. This page is written from `src/config.ts`.',
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

/** File name in docs/ to its text. */
export const generatedDocs = (): Readonly<Record<string, string>> => ({
  'api.md': apiReference(endpoints),
  'staff-api.md': staffReference(staffEndpoints),
  'errors.md': errorReference(),
  'tools.md': toolReference(),
  'config.md': configDocument(),
  'menu-csv.md': menuCsvReference(),
  'shop-file.schema.json': asJson(shopFileJsonSchema()),
});
