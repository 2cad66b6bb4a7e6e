/**
 * Golden transcripts: questions about the demo shops, with the fewest calls that answer them and a limit of
 * characters. Each is played with the texts alone and with the structured contents alone (Decisions 14).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoContents } from '../../src/service/app/demo.ts';
import { newId } from '../support/database/ids.ts';
import { branchId, openShops, shopId, tableId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { callTool, type ToolAnswer } from '../support/server/mcp-client.ts';
import { insert } from '../support/database/rows.ts';
import type { World } from '../support/server/world.ts';
import { ARABIC } from './transcripts/arabic.ts';
import { ENGLISH } from './transcripts/english.ts';
import type { Fact, Seen, Transcript } from './transcripts/transcript.ts';

/** A Wednesday, noon in Cairo. */
const NOON = '2026-12-16T10:00:00Z';

let world: World;
let places: DemoContents;

/** Books every table of Sheikh Zayed for Sunday the 20th. */
const fillSunday = async (): Promise<void> => {
  const [org_id, branch_id, id] = [shopId('layaly'), branchId('zayed', 'layaly'), newId()];
  const [starts_at, ends_at] = ['2026-12-20T11:00:00Z', '2026-12-21T00:00:00Z'];
  const booking = { org_id, id, branch_id, service_date: '2026-12-20', party_size: 40, guest_name: 'فرح' };
  await insert(world.db.kysely, 'booking', { ...booking, starts_at, ends_at, created_at: NOON });
  const tables = ['g1', 'g2', 'g3', 'g4', 'g5', 'i1', 'i2', 'i3', 'i4', 'i5'];
  for (const table of tables)
    await insert(world.db.kysely, 'booking_table', {
      ...{ org_id, booking_id: id, branch_id, table_id: tableId(`zayed-${table}`, 'zayed', 'layaly') },
      during: `[${starts_at},${ends_at})`,
    });
};

/** A shop whose menu exceeds the limit of an answer. */
const openSouq = (): Promise<void> =>
  openShops(world, {
    format: 1,
    slug: 'souq',
    name: { ar: 'سوق', en: 'Souq' },
    branches: [{ key: 'attaba', name: { ar: 'العتبة', en: 'Attaba' }, code: 'ATB' }],
    menu: {
      categories: [{ key: 'teas', name: { ar: 'شاي', en: 'Teas' } }],
      items: Array.from({ length: 1000 }, (_, index) => ({
        key: `tea-${index + 1}`,
        name: { ar: `شاي رقم ${index + 1}`, en: `Tea number ${index + 1}` },
        category: 'teas',
        price: 2010 + index,
      })),
    },
  });

beforeAll(async () => {
  ({ world, demo: places } = await makeDemo({ now: NOON }));
  await fillSunday();
  await openSouq();
});
afterAll(() => world.close());

// ── Parsing ─────────────────────────────────────────────────────────────────────────────────────

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** All objects in a value, outermost first. */
const objectsIn = (value: unknown): Readonly<Record<string, unknown>>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Readonly<Record<string, unknown>>, ...inside];
};

const isNamed = ({ name, name_translations: others }: Readonly<Record<string, unknown>>, wanted: string) =>
  name === wanted || (typeof others === 'object' && Object.values(others ?? {}).includes(wanted));

const found = (value: unknown, what: string): string => {
  if (typeof value !== 'string') throw new Error(`${what} stands in no answer so far`);
  return value;
};

/** The part of an answer that the model reads. A refusal has only a text. */
type Reading = 'text' | 'structured';
const READINGS = ['text', 'structured'] as const satisfies readonly Reading[];

const visiblePart = ({ text, structured }: ToolAnswer, reading: Reading): string =>
  reading === 'text' || structured === undefined ? text : JSON.stringify(structured);

const branchInText = (text: string, name: string): string | undefined => {
  // The quoted name, or its translation in brackets, and the id on the same line.
  const entry = new RegExp(`"(?:[^"]* \\()?${name}(?: \\(|\\)?").*?(${ID})`);
  return entry.exec(text)?.[1];
};

const seen = (answers: readonly ToolAnswer[], reading: Reading): Seen => {
  const texts = answers.map((answer) => visiblePart(answer, reading)).join('\n');
  const objects = reading === 'text' ? [] : answers.flatMap(({ structured }) => objectsIn(structured));
  return {
    branch: (name) =>
      found(
        objects.find((thing) => 'id' in thing && isNamed(thing, name))?.['id'] ?? branchInText(texts, name),
        `the branch ${name}`,
      ),
    branchOfMenu: () =>
      found(
        objects.findLast((thing) => 'categories' in thing)?.['branch_id'] ??
          new RegExp(`branch_id: (${ID})`).exec(texts)?.[1],
        'the branch of a menu',
      ),
    meantShop: () => found(/Perhaps "([^"]+)" is meant/.exec(texts)?.[1], 'the shop that is meant'),
    order: (status) =>
      found(places.orders.find((order) => order.status === status)?.id, `an order ${status}`),
  };
};

/** Whether `value` contains the fact; an empty list requires an empty list. */
const contains = (value: unknown, fact: unknown): boolean => {
  if (Array.isArray(fact)) {
    if (!Array.isArray(value)) return false;
    return fact.length === 0
      ? value.length === 0
      : fact.every((one) => value.some((two) => contains(two, one)));
  }
  if (typeof fact !== 'object' || fact === null) return value === fact;
  const fields = typeof value === 'object' && value !== null ? (value as Fact) : {};
  return Object.entries(fact).every(([name, inner]) => contains(fields[name], inner));
};

// ── Playback ────────────────────────────────────────────────────────────────────────────────────

const play = async ({ calls }: Transcript, reading: Reading): Promise<readonly ToolAnswer[]> => {
  const answers: ToolAnswer[] = [];
  for (const { tool, args, refused = false } of calls) {
    const given: object = typeof args === 'function' ? args(seen(answers, reading)) : args;
    const answer = await callTool(world, tool, given);
    expect(answer.isError, answer.text).toBe(refused);
    answers.push(answer);
  }
  return answers;
};

const expectFacts = (transcript: Transcript, answers: readonly ToolAnswer[], reading: Reading): void => {
  const output = answers.map((answer) => visiblePart(answer, reading)).join('\n');
  if (reading === 'text')
    for (const fact of transcript.text)
      // A string must be contained literally.
      if (fact instanceof RegExp) expect(output).toMatch(fact);
      else expect(output).toContain(fact);
  else
    for (const fact of transcript.structured)
      expect(
        answers.flatMap(({ structured }) => objectsIn(structured)).some((object) => contains(object, fact)),
        `${JSON.stringify(fact)} in ${output.slice(0, 5_000)}`,
      ).toBe(true);
  for (const wrong of transcript.never ?? [])
    expect(wrong instanceof RegExp ? wrong.test(output) : output.includes(wrong), String(wrong)).toBe(false);
};

describe.each(READINGS)('answered from the %s alone', (reading) => {
  test.each([...ARABIC, ...ENGLISH].map((transcript) => [transcript.question, transcript] as const))(
    '%s',
    async (_, transcript) => {
      world.now = Date.parse(transcript.at ?? NOON);
      const answers = await play(transcript, reading);
      expectFacts(transcript, answers, reading);
      const characters = answers.reduce((sum, answer) => sum + visiblePart(answer, reading).length, 0);
      expect(characters).toBeLessThanOrEqual(transcript.allowed[reading]);
    },
  );
});

test('there are ten transcripts in each language, each with facts', () => {
  expect([ARABIC.length, ENGLISH.length]).toEqual([10, 10]);
  for (const { question, text } of ARABIC) {
    expect(question).toMatch(/^\p{Script=Arabic}/u);
    expect(text.length).toBeGreaterThan(0);
  }
  for (const { question, text } of ENGLISH) {
    expect(question).toMatch(/^[A-Z]/);
    expect(text.length).toBeGreaterThan(0);
  }
});
