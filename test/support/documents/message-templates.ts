/** The message templates that docs/messages.md tells an operator to register. */
import { readFileSync } from 'node:fs';

export interface RegisteredTemplate {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly ar: string;
  readonly en: string;
}

const SECTION = /^### (\w+)\n\nParameters: (.+)\.\n\n- `ar`: (.+)\n- `en`: (.+)$/gm;

export const registeredTemplates = (): RegisteredTemplate[] => {
  const page = readFileSync(new URL('../../../docs/messages.md', import.meta.url), 'utf8');
  return [...page.matchAll(SECTION)].map(([, name = '', parameters = '', ar = '', en = '']) => ({
    name,
    parameters: parameters.split(', ').map((parameter, i) => parameter.replace(`\`{{${i + 1}}}\` `, '')),
    ar,
    en,
  }));
};
