import { describe, expect, test } from 'vitest';
import { matchesSearch, searchText } from './search-text.ts';

const finds = (text: string, query: string): boolean => matchesSearch(searchText(text), searchText(query));

describe('a search', () => {
  test.each([
    ['قهوة تركي', 'قهوه'],
    ['إسبريسو', 'اسبريسو'],
    ['آيس لاتيه', 'ايس'],
    ['مكرونة بالبشاميل', 'مكرونه بالبشاميل'],
    ['شاي كُشَري', 'كشري'],
    ['القهوة المختصة', 'قهوه مختصه'],
    ['لاتيـــه', 'لاتيه'],
    ['كولا ٣٣٠ مل', '330'],
    ['مانجو', 'مانچو'],
    ['Café crème', 'cafe creme'],
    ['Flat White', 'WHITE'],
    ['V60', 'v60'],
    ['سبانش لاتيه', 'لاتيه سبانش'],
  ])('finds %s by %s', (text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  test.each([
    ['قهوة تركي', 'شاي'],
    ['لاتيه', 'تيه'],
    ['Latte', 'latte iced'],
  ])('does not find %s by %s', (text, query) => {
    expect(finds(text, query)).toBe(false);
  });

  test('finds everything by no word', () => {
    expect(finds('قهوة', '  ')).toBe(true);
  });
});
