/** The security pages are complete and match the code. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECURITY_EVENT_KINDS } from '../../src/platform/domain/security-event.ts';
import { CITATION, read, ROOT } from '../support/documents/pages.ts';

describe('docs/security.md', () => {
  const page = read('docs/security.md');
  const wanted = JSON.parse(read('test/laws/asvs-5.0.0.json')) as Record<'level1' | 'level2', string[]>;
  const VERDICTS = ['met', 'not met', 'not ours'];

  interface Row {
    readonly number: string;
    readonly level: string;
    readonly verdict: string;
    readonly evidence: string;
  }
  const ROW = /^\| `v5\.0\.0-([\d.]+)` \| ([12]) \| [^|]+ \| ([^|]+) \| ([^|]*) \|$/gm;
  const rows: Row[] = [...page.matchAll(ROW)].map(
    ([, number = '', level = '', verdict = '', evidence = '']) => ({ number, level, verdict, evidence }),
  );
  const count = (chosen: readonly Row[]): number[] =>
    VERDICTS.map((verdict) => chosen.filter((row) => row.verdict === verdict).length);

  test('lists each requirement of levels 1 and 2 once, in the order of the standard', () => {
    const numbers = (level: string): string[] =>
      rows.filter((row) => row.level === level).map(({ number }) => number);
    expect({ level1: numbers('1'), level2: numbers('2') }).toEqual({
      level1: wanted.level1,
      level2: wanted.level2,
    });
  });

  test('gives each requirement a verdict with evidence or a reason', () => {
    expect(rows.filter(({ verdict }) => !VERDICTS.includes(verdict))).toEqual([]);
    expect(rows.filter(({ evidence }) => evidence.trim() === '')).toEqual([]);
  });

  test('cites a test or a page for each requirement that is met', () => {
    const unshown = rows
      .filter(({ verdict }) => verdict === 'met')
      .filter(({ evidence }) => evidence.match(CITATION) === null && !evidence.includes(']('));
    expect(unshown).toEqual([]);
  });

  test('counts the verdicts of each chapter correctly', () => {
    const counts = [...page.matchAll(/^\| V(\d+) [^|]+ \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    expect(counts.map(([, chapter, ...figures]) => [chapter, ...figures.map(Number)])).toEqual(
      Array.from({ length: 17 }, (_, index) => String(index + 1)).map((chapter) => [
        chapter,
        ...count(rows.filter(({ number }) => number.startsWith(`${chapter}.`))),
      ]),
    );
    const total = /^\| \*\*All\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)\*\* \|$/m.exec(page);
    expect(total?.slice(1).map(Number)).toEqual(count(rows));
  });

  test('names every requirement that is not met among the gaps', () => {
    const gaps = page.slice(0, page.indexOf('\n## '));
    const named = new Set([...gaps.matchAll(/`(?:v5\.0\.0-)?(\d+\.\d+\.\d+)`/g)].map(([, number]) => number));
    const open = rows.filter(({ verdict }) => verdict === 'not met').map(({ number }) => number);
    expect(open.filter((number) => !named.has(number))).toEqual([]);
    expect([...named].filter((number) => !open.includes(number ?? ''))).toEqual([]);
  });
});

describe('security events', () => {
  const section = /^## Security events\n(.*?)^## /ms.exec(read('docs/operations.md'))?.[1] ?? '';

  test('docs/operations.md explains every kind of security event', () => {
    const explained = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, kind]) => kind);
    expect(explained).toEqual([...SECURITY_EVENT_KINDS]);
  });

  test('every alert names existing kinds of security events', () => {
    const alerts = read('deploy/prometheus-alerts.yaml');
    const awaited = [...alerts.matchAll(/kind=~?"([\w|]+)"/g)].flatMap(([, kinds = '']) => kinds.split('|'));
    expect(awaited.length).toBeGreaterThan(5);
    expect(awaited.filter((kind) => !SECURITY_EVENT_KINDS.some((known) => known === kind))).toEqual([]);
  });
});

describe('the code', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test(-support)?\.ts$/.test(path))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: read(join('src', path)) }));
  const using = (word: RegExp, except: readonly string[] = []): string[] =>
    files.filter(({ path, text }) => word.test(text) && !except.includes(path)).map(({ path }) => path);

  test('no code is evaluated from text, and no shell is started', () => {
    expect(using(/(?<![.\w])eval\(|\bnew Function\b|node:vm/)).toEqual([]);
    expect(using(/(?<![.\w])exec(Sync)?\(|\bshell: true/)).toEqual([]);
    // Built from constants, or from patterns of our own schemas.
    const MADE_OF_CONSTANTS = [
      ...[
        'adapters/log.ts',
        'doors/http/browser-sessions.ts',
        'shopfile/app/schema-repair.ts',
        'kernel/ids.ts',
        'pictures/domain/picture.ts',
      ],
      ...['shopfile/domain/menu-csv/cells.ts', 'staff/domain/second-factor.ts'],
    ];
    expect(using(/\bnew RegExp\(/, MADE_OF_CONSTANTS)).toEqual([]);
  });

  test('every hash is SHA-256, except in ids', () => {
    expect(using(/create(Hash|Hmac)\(\s*'(?!sha256')/, ['shopfile/app/entity-ids.ts'])).toEqual([]);
    expect(using(/\bmd5\b/i)).toEqual([]);
  });
});
