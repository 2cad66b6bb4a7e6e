/** docs/messages.md must contain every template as it is sent. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TEMPLATES, TEMPLATE_NAMES } from '../../src/messaging/domain/template.ts';
import { registeredTemplates } from '../support/documents/message-templates.ts';

test('docs/messages.md has exactly the templates of the code, with texts and parameters', () => {
  const expected = TEMPLATE_NAMES.map((name) => ({
    name,
    parameters: [...TEMPLATES[name].parameters, 'link'],
    ar: TEMPLATES[name].ar,
    en: TEMPLATES[name].en,
  }));
  expect(registeredTemplates()).toEqual(expected);
});

test('docs/messages.md states when each template is sent', () => {
  const page = readFileSync(new URL('../../docs/messages.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `((?:order|booking|card|birthday|win_back)\w*)` +\| \S/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(TEMPLATE_NAMES);
});
