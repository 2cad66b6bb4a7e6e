import { expect, test } from 'vitest';
import { onSale } from '../../menu/domain/menu.ts';
import { aBook, anAddon, anItem, aWindow, NOON, OFF, PICKUP } from '../../menu/domain/menu.test-support.ts';
import { priceBookOf } from './pricebook.ts';

const HOUR = 3_600_000;
const tea = anItem('شاي', { windows: [aWindow({ startsAt: 0, endsAt: 14 * 60 })] });
const gone = anItem('كشري', { isLive: false });
const oat = anAddon('شوفان', { availability: [OFF] });
const stored = aBook({ items: [tea, gone], addons: [oat] });

test('a price book has the menu, and also the stored items and add-ons off the menu', () => {
  const book = priceBookOf(stored, PICKUP, NOON);
  expect(book.menu).toEqual(onSale(stored, PICKUP, NOON));
  expect([...book.entries.keys()]).toEqual([tea.id]);
  expect([...book.items.keys()]).toEqual([tea.id, gone.id]);
  expect(book.addons.get(oat.id)).toBe(oat);
  expect(book.shelf.onSale.has(oat.id)).toBe(false);
});

test('a price book is valid as long as its menu', () => {
  const book = priceBookOf(stored, PICKUP, NOON);
  expect(book.asOf).toBe(NOON);
  expect(book.validUntil).toBe(NOON + 2 * HOUR);
  expect(priceBookOf(aBook({ items: [gone] }), PICKUP, NOON).validUntil).toBeNull();
});
