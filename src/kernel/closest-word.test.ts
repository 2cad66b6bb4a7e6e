import { expect, test } from 'vitest';
import { closestTo, meantWord } from './closest-word.ts';

test.each([
  ['قهوه', 'قهوة'],
  ['turkish cofee', 'Turkish coffee'],
  ['prise', 'price'],
  ['PRICES', 'prices'],
  ['cafe\u0301', null],
  ['', null],
  ['zzz', null],
])('the known word closest to %j is %j', (word, meant) => {
  expect(closestTo(word, ['قهوة', 'شاي', 'Turkish coffee', 'price', 'prices'])).toBe(meant);
});

const CHANNELS = ['dine_in', 'pickup', 'outside', 'in_mall', 'umbrella'];

test.each([
  ['delivery', 'outside'],
  ['takeaway', 'pickup'],
  ['Pickup', 'pickup'],
  ['pikcup', 'pickup'],
  ['dine-in', 'dine_in'],
  ['outsied', 'outside'],
  ['in_mal', 'in_mall'],
  ['umbralas', null],
  ['car', null],
  ['__proto__', null],
  ['', null],
])('a channel that is typed as %j means %j', (typed, meant) => {
  expect(meantWord(typed, CHANNELS)).toBe(meant);
});

test('another name means a word only where that word is allowed', () => {
  expect(meantWord('delivery', ['pickup', 'in_mall'])).toBeNull();
});
