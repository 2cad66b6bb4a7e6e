import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folded, isSameName, singleLine, multiLine } from './free-text.ts';

describe('what is kept of a text', () => {
  test('is one line, with single spaces and no control character', () => {
    expect(singleLine('  منى\t عبد \r\n الله\u0007 ')).toBe('منى عبد الله');
    expect(singleLine('Desk\u00a0\u200312\u2028left')).toBe('Desk 12 left');
  });

  test('turns no reading direction; what joins and separates letters stays', () => {
    expect(singleLine('\u202eMona\u202c \u2067منى\u2069')).toBe('Mona منى');
    expect(singleLine('می\u200cخواهم')).toBe('می\u200cخواهم');
    expect(singleLine('👩\u200d🍳')).toBe('👩\u200d🍳');
  });

  test('is nothing where there is nothing to be read', () => {
    for (const text of [null, undefined, '', ' \n\t', '\u200b\u200f\ufeff', '\u3164', '\u202e \u202c'])
      expect([singleLine(text), multiLine(text)]).toEqual([null, null]);
  });

  test('keeps the lines of notes, without the empty ones', () => {
    expect(multiLine(' رن الجرس \r\n\n  مرتين\u2028  من فضلك\u0000 ')).toBe('رن الجرس\nمرتين\nمن فضلك');
  });

  test('tidied twice is tidied once, and never longer than it was', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, (typed) => {
        for (const tidy of [singleLine, multiLine]) {
          const kept = tidy(typed);
          expect(tidy(kept)).toBe(kept);
          expect((kept ?? '').length).toBeLessThanOrEqual(typed.length);
        }
      }),
    );
  });
});

describe('names are one', () => {
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
  ])('%s and %s', (a, b) => {
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
  ])('but not %s and %s', (a, b) => {
    expect(isSameName(a, b)).toBe(false);
  });

  test('in any form, case and spacing of Arabic and Latin letters', () => {
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
