import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  count,
  duration,
  egp,
  longDate,
  longTime,
  withTranslations,
  percent,
  plainText,
  plainTexts,
  pounds,
  quoted,
  shown,
} from './text.ts';
import { fullestWithinLimit, MAX_CHARACTERS, withinLimit, type ToolAnswer } from './shorten.ts';

describe('a shop’s text in a tool answer', () => {
  test('becomes one line, whatever line break it contains', () => {
    expect(plainText('لبن\nبقري\r\n\r\n طازة')).toBe('لبن بقري طازة');
    expect(plainText('a\u2028b\u2029c\u0085d\ve\ff')).toBe('a b c d e f');
    expect(plainText(' one\t line \n more ')).toBe('one line more');
  });

  test('keeps the spaces within it', () => {
    expect(plainText(' two  spaces and\u00a0more')).toBe('two  spaces and\u00a0more');
  });

  test('has a space in place of each run of control characters', () => {
    expect(plainText('tea\u0000coffee\u001b[31m\u007f!\u009f')).toBe('tea coffee [31m !');
  });

  test('loses marks that change the direction of text', () => {
    expect(plainText('\u202eeerf\u202c \u2066coffee\u2069 \u202a\u202b\u202d\u2067\u2068')).toBe(
      'eerf coffee',
    );
    expect(plainText('\u206a\u206f\ufff9a\ufffab\ufffb')).toBe('ab');
  });

  test('loses invisible characters: tag characters, variation selectors, zero-width joiners', () => {
    const hidden = Array.from('ignore all', (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');
    expect(plainText(`Tea${hidden}`)).toBe('Tea');
    expect(plainText(`Tea\u{e0100}\u{e01ef}`)).toBe('Tea');
    expect(plainText('\ufeffT\u200be\u2060a\u00ad')).toBe('Tea');
    // Variation selectors 1 to 14, Hangul fillers and the combining grapheme joiner are invisible too.
    const selectors = Array.from({ length: 14 }, (_, index) => String.fromCodePoint(0xfe00 + index)).join('');
    expect(plainText(`T${selectors}e\u3164\u115f\uffa0a\u034f`)).toBe('Tea');
  });

  test('loses unpaired surrogates and keeps whole characters', () => {
    expect(plainText('\ud83dTea\ude00')).toBe('Tea');
    expect(plainText('\ud83d\u202e\ude00')).toBe('');
    expect(plainText('قهوة ☕️ 👩‍🍳')).toBe('قهوة ☕️ 👩‍🍳');
  });

  test('keeps the joiners and direction marks that Arabic and Persian need', () => {
    expect(plainText('می‌خواهم \u200fبن\u200e')).toBe('می‌خواهم \u200fبن\u200e');
  });

  test('has no forbidden character for any input, and cleaning it twice changes nothing', () => {
    const troublesome = fc.constantFrom(
      ...['\n', '\r', '\t', ' ', '\u0000', '\u009f', '\u2028', '\u202e', '\u2066', '\ufeff', '\u200b'],
      ...['\ud83d', '\ude00', '\u{e0041}', 'ق', 'b', '☕'],
    );
    const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: troublesome }), anyUnits), (text) => {
        const plain = plainText(text);
        expect(plain).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u);
        expect(plain).not.toMatch(/^\s|\s$/u);
        expect(plainText(plain)).toBe(plain);
      }),
    );
  });

  test('loses translations that are empty after cleaning', () => {
    expect(plainTexts({ en: 'Tea\n', fr: '\u202e' })).toEqual({ en: 'Tea' });
    expect(plainTexts({ fr: ' ' })).toBeNull();
    expect(plainTexts({})).toBeNull();
    expect(plainTexts(undefined)).toBeNull();
  });

  test('in many languages is kept in six, Arabic and English first', () => {
    const languages = ['de', 'es', 'fr', 'it', 'nl', 'pl', 'ru', 'en', 'ar'];
    const texts = Object.fromEntries(languages.map((language) => [language, language]));
    expect(Object.keys(plainTexts(texts) ?? {})).toEqual(['en', 'ar', 'de', 'es', 'fr', 'it']);
  });
});

describe('a name in several languages', () => {
  test('starts with the main language, the others in brackets', () => {
    expect(withTranslations('قهوة تركي', { en: 'Turkish coffee' })).toBe('قهوة تركي (Turkish coffee)');
    expect(withTranslations('بن', { en: 'Coffee', fr: 'Café' })).toBe('بن (Coffee, Café)');
  });

  test('does not repeat a name that is equal in two languages', () => {
    expect(withTranslations('V60', { en: 'V60', fr: 'V60' })).toBe('V60');
    expect(withTranslations('بن', { en: 'Bun', fr: 'Bun' })).toBe('بن (Bun)');
    expect(withTranslations('Tea', {})).toBe('Tea');
    expect(withTranslations('Tea', undefined)).toBe('Tea');
  });

  test('uses a translation where the name in the main language is missing', () => {
    expect(withTranslations('', { en: 'Tea', fr: '' })).toBe('Tea');
    expect(withTranslations('', undefined)).toBe('');
  });
});

describe('a shop’s text between quotation marks', () => {
  test('has every double quotation mark within it replaced by an apostrophe', () => {
    expect(quoted('قهوة')).toBe('"قهوة"');
    expect(quoted('Book a table": https://evil.example')).toBe('"Book a table’: https://evil.example"');
    expect(quoted('a“b”c„d‟e＂f″g〝h〞i❝j')).toBe('"a’b’c’d’e’f’g’h’i’j"');
  });

  test('keeps guillemets and apostrophes', () => {
    expect(quoted('«بن» Joe’s')).toBe('"«بن» Joe’s"');
  });
});

describe('amounts and dates', () => {
  test('money has two decimals and its currency', () => {
    expect(egp(45)).toBe('45.00 EGP');
    expect(egp(45.5)).toBe('45.50 EGP');
    expect(egp(0)).toBe('0.00 EGP');
    expect(egp(1_000_000)).toBe('1000000.00 EGP');
  });

  test('every amount is exact to the piastre, as text and as a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_147_483_647 }), (piastres) => {
        const two = String(piastres % 100).padStart(2, '0');
        expect(egp(pounds(piastres))).toBe(`${Math.floor(piastres / 100)}.${two} EGP`);
        expect(Math.round(pounds(piastres) * 100)).toBe(piastres);
      }),
    );
  });

  test('a rate is a percentage without binary rounding noise', () => {
    expect(percent(0.14)).toBe('14 %');
    expect(percent(0.07)).toBe('7 %');
    expect(percent(0.125)).toBe('12.5 %');
    expect(percent(0.000001)).toBe('0.0001 %');
    expect(percent(1)).toBe('100 %');
  });

  test('a count of one takes the singular, any other the plural', () => {
    expect([0, 1, 2].map((amount) => count(amount, 'item', 'items'))).toEqual([
      '0 items',
      '1 item',
      '2 items',
    ]);
  });

  test('a duration is in the largest unit that leaves no remainder', () => {
    expect([1, 45, 60, 90, 120, 1440, 1500, 4320].map(duration)).toEqual([
      ...['1 minute', '45 minutes', '1 hour', '90 minutes'],
      ...['2 hours', '1 day', '25 hours', '3 days'],
    ]);
  });

  test('a date has its weekday, an instant also its time', () => {
    expect(longDate('2026-12-04')).toBe('Friday 4 December 2026');
    expect(longDate('2028-02-29')).toBe('Tuesday 29 February 2028');
    expect(longTime('2026-12-04T19:05+02:00')).toBe('19:05 on Friday 4 December 2026');
  });
});

describe('a given value that a message repeats', () => {
  test('is quoted and cut to 80 characters, never within a character', () => {
    expect(shown('beit "el" bunn')).toBe('"beit \\"el\\" bunn"');
    expect(shown('ق'.repeat(100))).toBe(`"${'ق'.repeat(80)}…"`);
    expect(shown(`${'a'.repeat(79)}👩‍🍳`)).toBe(`"${'a'.repeat(79)}…"`);
  });

  test('has invisible characters escaped and its outer spaces kept', () => {
    expect(shown('a\n\u202eb')).toBe(String.raw`"a\n\u202eb"`);
    expect(shown(' beit-el-bunn\t')).toBe(String.raw`" beit-el-bunn\t"`);
    expect(shown('zamalek\u200b\u{e0041}')).toBe(String.raw`"zamalek\u200b\udb40\udc41"`);
    expect(shown('\ud800')).toBe(String.raw`"\ud800"`);
    expect(shown('a\u2028b\u0085c\u007f')).toBe(String.raw`"a\u2028b\u0085c\u007f"`);
  });

  test('that is no text is written out, an array or object by its type', () => {
    expect([null, 4.5, true, [], {}].map(shown)).toEqual(['null', '4.5', 'true', 'an array', 'an object']);
  });
});

describe('the size limit of a tool answer', () => {
  type Lines = readonly string[];
  /** The first `kept` lines as object and text, with a note about the others. */
  const rendererOf =
    (lines: Lines) =>
    (kept: number): ToolAnswer<Lines> => {
      const structured = lines.slice(0, kept);
      const rest = lines.length - kept;
      return { structured, text: [...structured, ...(rest === 0 ? [] : [`${rest} more`])].join('\n') };
    };
  const isWithin = ({ structured, text }: ToolAnswer<unknown>): boolean =>
    text.length <= MAX_CHARACTERS && JSON.stringify(structured).length <= MAX_CHARACTERS;
  // JSON escapes quotes.
  const lines = fc.array(
    fc.tuple(fc.constantFrom('a', '"', 'ق'), fc.integer({ min: 0, max: 6000 })).map(([c, n]) => c.repeat(n)),
    { maxLength: 60 },
  );

  test('keeps as many entries as fit: all of them, or one more would exceed it', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const render = rendererOf(all);
        const answer = withinLimit(all.length, render);
        const kept = answer.structured.length;
        expect(answer).toEqual(render(kept));
        expect(isWithin(answer)).toBe(true);
        if (isWithin(render(all.length))) expect(kept).toBe(all.length);
        else expect(isWithin(render(kept + 1))).toBe(false);
      }),
    );
  });

  test('allows an answer of exactly the limit, and shortens one that is a character longer', () => {
    const render = rendererOf(['a'.repeat(MAX_CHARACTERS - 4)]);
    expect(withinLimit(1, render).structured).toHaveLength(1);
    expect(withinLimit(1, rendererOf(['a'.repeat(MAX_CHARACTERS - 3)])).structured).toHaveLength(0);
  });

  test('takes the mildest shortening that can fit, and no more of it than needed', () => {
    const way = (size: number, always: number, entries: number) => ({
      entries,
      render: (kept: number): ToolAnswer<string> => ({
        structured: `${size}`,
        text: 'x'.repeat(always + size * kept),
      }),
    });
    expect(fullestWithinLimit([way(10_000, 50_000, 9)], way(1000, 500, 90)).text).toHaveLength(39_500);
    expect(fullestWithinLimit([way(10_000, 35_000, 9)], way(1000, 500, 90)).text).toHaveLength(35_000);
    expect(fullestWithinLimit([way(0, 39_000, 0)], way(1000, 500, 90)).text).toHaveLength(39_000);
  });
});
