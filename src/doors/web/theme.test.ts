import fc from 'fast-check';
import { expect, test } from 'vitest';
import { palettesOf, type BrandColors, type Palette } from './theme.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const brand = fc.record<BrandColors>({
  ...{ background_color: color, foreground_color: color, accent_color: color },
});

/** Of the definition (WCAG 2.2, relative luminance and contrast ratio), written apart from the engine. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrastOf = (a: string, b: string): number => {
  const [x, y] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return Math.max(x, y) / Math.min(x, y);
};

/** Text and what it stands on, with the least contrast. */
const PAIRS: readonly (readonly [keyof Palette, keyof Palette, number])[] = [
  ['ink', 'ground', 7],
  ['ink', 'surface', 7],
  ['muted', 'ground', 4.5],
  ['muted', 'surface', 4.5],
  ['accentText', 'ground', 4.5],
  ['accentText', 'surface', 4.5],
  ['onAccent', 'accent', 4.5],
  ['edge', 'ground', 3],
  ['edge', 'surface', 3],
  ['accent', 'ground', 3],
];

test('text of any brand can be read, by day and by night', () => {
  fc.assert(
    fc.property(brand, (colors) => {
      const { light, dark } = palettesOf(colors);
      for (const palette of [light, dark])
        for (const [text, ground, least] of PAIRS) {
          const contrast = contrastOf(palette[text], palette[ground]);
          expect(contrast, `${text} on ${ground} of ${JSON.stringify(palette)}`).toBeGreaterThanOrEqual(
            least,
          );
        }
    }),
  );
});

test('a brand whose colours can be read keeps them', () => {
  const { light } = palettesOf({
    ...{ background_color: '#F7F0E6', foreground_color: '#3A2416', accent_color: '#A4521F' },
  });
  expect(light).toMatchObject({
    ground: '#f7f0e6',
    ink: '#3a2416',
    accent: '#a4521f',
    accentText: '#a4521f',
  });
});

test('a dark brand is the same by day and by night', () => {
  const { light, dark } = palettesOf({
    ...{ background_color: '#101820', foreground_color: '#FFFFFF', accent_color: '#FEE715' },
  });
  expect(dark).toBe(light);
});
