/** The curl lines of README.md, run on the demo shops of `npm start`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDemo } from '../support/shops/demo.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
/** Curl lines, with continuations joined. */
const LINES = [...README.replaceAll('\\\n', ' ').matchAll(/^curl .*$/gm)].map(([line]) => line);

/** A Friday, 20:00 in Cairo. */
const START = '2026-11-20T18:00:00Z';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo({ now: START }));
});
afterAll(() => world.close());

/** Sends the request of a line. */
const send = (line: string): Promise<Reply> => {
  const typed = line.replace('$(TZ=Africa/Cairo date +%F)', START.slice(0, 10));
  const [, address = ''] = /http:\/\/localhost:8080([^'"\s]*)/.exec(typed) ?? [];
  const [, body] = / -d '([^']*)'/.exec(typed) ?? [];
  const headers = Object.fromEntries(
    [...typed.matchAll(/ -H '([^:]+): ([^']*)'/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  );
  return world.send(body === undefined ? 'GET' : 'POST', address, headers, body);
};

/** The last path segment. */
const placeOf = (line: string): string => /localhost:8080[^?'"\s]*\/([\w-]+)/.exec(line)?.[1] ?? '';

/** Expected content by last path segment. */
const ANSWERS: Readonly<Record<string, object>> = {
  links: { branches: expect.arrayContaining([expect.anything()]) as unknown },
  menu: { items: expect.arrayContaining([expect.anything()]) as unknown },
  'booking-slots': {
    slots: expect.arrayContaining([expect.objectContaining({ available: true })]) as unknown,
  },
  'sign-in': { token: expect.stringMatching(/^stf_/) as unknown },
  mcp: {
    result: { structuredContent: { categories: expect.arrayContaining([expect.anything()]) as unknown } },
  },
};

test('the README has the expected curl lines', () => {
  expect(LINES.map(placeOf)).toEqual(Object.keys(ANSWERS));
});

test.each(LINES)('a curl line of the README returns 200 with content: %s', async (line) => {
  const { status, body } = await send(line);
  expect([status, body]).toMatchObject([200, ANSWERS[placeOf(line)]]);
});
