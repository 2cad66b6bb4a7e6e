/** What is written in one place: the change log by `commitAndPublish`, the audit log by `recordAudit`. */
import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './sources.ts';

/** A statement that changes rows of one of these tables. */
const writing = (tables: string): RegExp =>
  new RegExp(
    `\\b(?:insert\\s+into|update|delete\\s+from|truncate|merge\\s+into)\\s+(?:only\\s+)?(?:${tables})\\b|` +
      `\\b(?:insertInto|updateTable|deleteFrom|mergeInto|deleteBatch|updateBatch)\\(\\s*(?:\\w+,\\s*)?'(?:${tables})\\b`,
    'i',
  );

const DOORS: readonly { what: string; word: RegExp; files: readonly string[] }[] = [
  {
    what: 'statements that write the change log',
    word: writing('change|change_counter'),
    files: ['platform/store/change-log.ts', 'platform/store/closed-shop.ts'],
  },
  {
    what: 'recordChanges',
    word: /\brecordChanges\b/,
    files: ['platform/app/commit.ts', 'platform/store/change-log.ts'],
  },
  {
    // An order is placed with two statements, the second of which logs it (Decisions 8).
    what: 'changeCounter, and changes that the caller has logged',
    word: /\b(?:changeCounter|addLogged)\b/,
    files: [
      ...['orders/app/checkout.ts', 'orders/store/checkout.ts'],
      ...['platform/app/commit.ts', 'platform/store/change-log.ts'],
    ],
  },
  {
    what: 'publishing changes to this process',
    word: /\bchangePublisher\.publish\b/,
    files: ['platform/app/commit.ts'],
  },
  {
    what: 'statements that write the audit log',
    word: writing('audit'),
    files: ['platform/store/audit.ts'],
  },
  {
    what: 'addAudit',
    word: /\baddAudit\b/,
    files: ['platform/app/audit.ts', 'platform/store/audit.ts'],
  },
];

const sources = readSources();

test.each(DOORS)('$what: in these files and no others', ({ word, files }) => {
  const found = sources.filter(({ code }) => word.test(code)).map(({ path }) => path.split(sep).join('/'));
  expect(found.sort()).toEqual([...files]);
});
