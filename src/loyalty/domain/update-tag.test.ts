import { describe, expect, test } from 'vitest';
import { changedSince, updateTag, type Revised } from './update-tag.ts';

const card = (number: number, revision = 1): Revised => ({
  id: `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`,
  revision,
});
const idsOf = (cards: readonly Revised[]) => cards.map(({ id }) => id);

describe('a phone with two cards', () => {
  const [first, second] = [card(1, 40), card(2, 41)] as const;
  const tag = updateTag([first, second]);

  test('is told of all without a tag, and of none with the last one', () => {
    expect(changedSince([first, second], null)).toEqual([first, second]);
    expect(changedSince([first, second], tag)).toEqual([]);
  });

  test('is told of a card that changed since, of a new one, and not of the other', () => {
    expect(idsOf(changedSince([first, card(2, 42)], tag))).toEqual([second.id]);
    expect(idsOf(changedSince([first, second, card(3)], tag))).toEqual([card(3).id]);
  });

  test('is told of two changes in one second, one after the other', () => {
    const between = updateTag([first, card(2, 42)]);
    expect(idsOf(changedSince([first, card(2, 43)], between))).toEqual([second.id]);
  });

  test('is told of all with a tag that is none of ours', () => {
    expect(changedSince([first, second], '1795888800')).toEqual([first, second]);
  });
});

test('a tag of very many cards fits into an address; the rest is told again', () => {
  const cards = Array.from({ length: 300 }, (_, number) => card(number, 2_000_000_000));
  const tag = updateTag(cards);
  expect(tag.length).toBeLessThan(2_000);
  expect(changedSince(cards, tag)).toHaveLength(200);
});
