import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folded, isSameName, singleLine, multiLine } from './free-text.ts';

describe('a cleaned text', () => {
  test('is one line with single spaces and without control characters', () => {
    expect(singleLine('  منى\t عبد \r\n الله\u0007 ')).toBe('منى عبد الله');
    expect(singleLine('Desk\u00a0\u200312\u2028left')).toBe('Desk 12 left');
  });

  test('has no direction controls, and keeps joiners between letters', () => {
    expect(singleLine('\u202eMona\u202c \u2067منى\u2069')).toBe('Mona منى');
    expect(singleLine('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(singleLine('👩\u200d🍳')).toBe('👩\u200d🍳');
  });

  test('is null when the text has no visible character', () => {
    for (const text of [null, undefined, '', ' \n\t', '\u200b\u200f\ufeff', '\u3164', '\u202e \u202c'])
      expect([singleLine(text), multiLine(text)]).toEqual([null, null]);
  });

  test('of several lines keeps the lines and drops empty ones', () => {
    expect(multiLine(' رن الجرس \r\n\n  مرتين\u2028  من فضلك\u0000 ')).toBe('رن الجرس\nمرتين\nمن فضلك');
  });

  test('is unchanged by a second cleaning, and never longer than the text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, (typed) => {
        for (const clean of [singleLine, multiLine]) {
          const kept = clean(typed);
          expect(clean(kept)).toBe(kept);
          expect((kept ?? '').length).toBeLessThanOrEqual(typed.length);
        }
      }),
    );
  });
});

describe('the same name', () => {
  test.each([
    ['Mona Ali', 'mona  ALI'],
    ['عبد الله', 'عبدالله'],
    ['José', 'Jose\u0301'],
    ['Ｍｏｎａ', 'mona'],
    ['ﻣﻨﻰ', 'منى'],
    ['أحمد', 'ا\u0654حمد'],
    ['منى\u200f', '\u200bمنى'],
    ['Weiß', 'WEISS'],
    ['ΝΙΚΟΣ', 'νικος'],
  ])('%s equals %s', (a, b) => {
    expect(isSameName(a, b)).toBe(true);
  });

  test.each([
    ['Mona', 'Mina'],
    ['احمد', 'أحمد'],
    ['منى', 'منـــى'],
    ['منى', 'مُنى'],
    ['José', 'Jose'],
    ['Mona-Ali', 'Mona Ali'],
    ['عمر ٢', 'عمر 2'],
  ])('%s differs from %s', (a, b) => {
    expect(isSameName(a, b)).toBe(false);
  });

  test('a name equals itself in any normal form, case and spacing', () => {
    const letter = fc.constantFrom(...Array.from('أإآؤئىةلامنabcéñöÅZ '));
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 12 }), (letters) => {
        const name = letters.join('');
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
          expect(isSameName(name, name.normalize(form))).toBe(true);
          expect(isSameName(name, ` ${name.normalize(form).toUpperCase()}\u00a0`)).toBe(true);
        }
        expect(folded(folded(name))).toBe(folded(name));
      }),
    );
  });
});
