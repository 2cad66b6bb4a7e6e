import { describe, expect, test } from 'vitest';
import { stationOf, type Station } from './firing.ts';

const station = (id: string, categoryIds: string[], itemIds: string[] = []): Station => ({
  ...{ id, categoryIds, itemIds },
});

const BAR = station('bar', ['coffee'], ['cheesecake']);
const GRILL = station('grill', ['food', 'sweets']);
const CAKES = station('cakes', [], ['latte']);
const STATIONS = [BAR, GRILL, CAKES];

describe('the station that makes an item', () => {
  test.each([
    ['names its category', 'burger', 'food', 'grill'],
    ['names the item, though another names its category', 'latte', 'coffee', 'cakes'],
    ['names the item, though it is the first', 'cheesecake', 'sweets', 'bar'],
    ['is the first one where none names it', 'water', 'drinks', 'bar'],
    ['is the first one where it is on no menu any more', 'gone', null, 'bar'],
  ])('%s', (_, item, category, expected) => {
    expect(stationOf(STATIONS, item, category)).toBe(expected);
  });

  test('is none at a branch without stations', () => {
    expect(stationOf([], 'latte', 'coffee')).toBeNull();
  });
});
