import { expect, test } from 'vitest';
import { createLeakWatch } from './leaks.ts';

const watch = () => {
  const held = { working: 0, places: 0, bodies: 0, bytes: 0 };
  const lines: string[] = [];
  const note = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const leaks = createLeakWatch({
    connections: { counts: () => ({ open: 0, working: held.working, closed: { idle: 0, refused: 0 } }) },
    places: { held: () => held.places },
    bodies: { counts: () => ({ bodies: held.bodies, bytes: held.bytes, cut: 0 }) },
    log: { info: note, warn: note, error: note },
  });
  return { held, lines, leaks };
};

test.each([
  [{ places: 1 }, '1 waiting places are held by 0 connections at work'],
  [{ working: 2, bodies: 3 }, '3 bodies are read for 2 connections at work'],
  [{ bytes: 70 }, '70 bytes are held of no body'],
])('%j, found twice in a row, is a leak, logged once; given back, it is none', (leaked, sentence) => {
  const { held, lines, leaks } = watch();
  leaks.look();
  Object.assign(held, leaked);
  leaks.look();
  expect(leaks.fault()).toBeNull();
  leaks.look();
  leaks.look();
  expect(leaks.fault()).toBe(sentence);
  expect(lines).toEqual([`what requests hold is not given back ${JSON.stringify({ leak: sentence })}`]);
  Object.assign(held, { places: 0, bodies: 0, bytes: 0 });
  leaks.look();
  expect(leaks.fault()).toBeNull();
  expect(lines).toHaveLength(2);
});

test('what connections at work hold is no leak', () => {
  const { held, lines, leaks } = watch();
  Object.assign(held, { working: 5, places: 5, bodies: 5, bytes: 9 });
  for (let times = 0; times < 3; times += 1) leaks.look();
  expect([leaks.fault(), lines]).toEqual([null, []]);
});
