/** The pages about security say what the code does: every kind of event is explained, and no alert waits for one that is none. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SECURITY_EVENT_KINDS } from '../../src/domain/security-event.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const section = /^## Security events\n(.*?)^## /ms.exec(operations)?.[1] ?? '';

test('the operator finds every kind of security event, and what to do about it', () => {
  const explained = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, kind]) => kind);
  expect(explained).toEqual([...SECURITY_EVENT_KINDS]);
});

test('every alert waits for a kind of event that there is', () => {
  const awaited = [...section.matchAll(/kind=~?"([\w|]+)"/g)].flatMap(([, kinds = '']) => kinds.split('|'));
  expect(awaited.length).toBeGreaterThan(5);
  expect(awaited.filter((kind) => !SECURITY_EVENT_KINDS.some((known) => known === kind))).toEqual([]);
});
