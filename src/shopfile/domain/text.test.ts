import { describe, expect, test } from 'vitest';
import { didYouMean, textFault } from './text.ts';

describe('suggestions', () => {
  test('are worded as a question, or empty', () => {
    const known = ['price', 'prices'];
    expect(didYouMean('prise', known)).toBe(' — did you mean ‘price’?');
    expect(didYouMean('zzz', known)).toBe('');
  });
});

describe('text', () => {
  test('of any script, with marks and joiners, is valid', () => {
    for (const text of ['قهوة', 'قَهْوَة', 'Café', '日本', '\u200fقهوة\u200e', 'می\u200cخواهم', '☕️', 'a  b'])
      expect(textFault(text, 'line')).toBeNull();
  });

  test('may break lines only in the form `lines`', () => {
    expect(textFault('a\nb', 'lines')).toBeNull();
    expect(textFault('a\nb', 'line')).toBe('holds the control character U+000A');
    for (const text of ['a\tb', 'a\rb', 'a\u2028b', 'a\u0085b'])
      expect(textFault(text, 'lines')).toMatch(/control character/);
  });

  test('without a visible character is blank', () => {
    for (const text of ['', '  ', '\u200f', '\u200e\u200b', '\ufeff'])
      expect(textFault(text, 'line')).toBe('is blank');
  });

  test('with characters that turn its direction is refused with all of them', () => {
    expect(textFault('\u202eabc\u2066 \u202e', 'line')).toBe(
      'holds the invisible direction overrides U+202E, U+2066',
    );
  });
});
