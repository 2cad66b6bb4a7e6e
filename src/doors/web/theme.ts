/** The colours of a page: the brand's three, changed as little as readable text needs (WCAG 2.2, 1.4.3 and 1.4.11). */

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as never;
const format = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

const contrast = (a: Rgb, b: Rgb): number => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((part, at) => Math.round(part + ((b[at] ?? 0) - part) * share)) as never;

/** Black or white, whichever stands out more. */
const poleAgainst = (color: Rgb): Rgb => (contrast(color, BLACK) > contrast(color, WHITE) ? BLACK : WHITE);

const STEPS = 50;

/** The first mixture of `color` with `target` that `isEnough`; the target itself where none is. */
const towards = (color: Rgb, target: Rgb, isEnough: (mixed: Rgb) => boolean): Rgb => {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, target, step / STEPS);
    if (isEnough(mixed)) return mixed;
  }
  return target;
};

/** `color`, dark or light enough to be read on each of `grounds`. */
const readableOn = (color: Rgb, grounds: readonly Rgb[], ratio: number): Rgb =>
  towards(color, poleAgainst(grounds[0] ?? WHITE), (mixed) =>
    grounds.every((ground) => contrast(mixed, ground) >= ratio),
  );

/** For text; `STRONG` for the text of the page itself. */
const TEXT = 4.5;
const STRONG = 7;
/** For edges of controls. */
const EDGE = 3;
/** Between a ground and black or white, so that a shade of the ground is readable too. */
const GROUND = 12;

export interface Palette {
  readonly ground: string;
  /** Of cards and dialogs. */
  readonly surface: string;
  readonly ink: string;
  /** Text of less weight. */
  readonly muted: string;
  /** Decorative lines. */
  readonly line: string;
  /** Edges of controls. */
  readonly edge: string;
  /** Filled buttons, and the text on them. */
  readonly accent: string;
  readonly onAccent: string;
  /** The accent as text, and as the outline of the focus. */
  readonly accentText: string;
}

export interface BrandColors {
  readonly background_color: string;
  readonly foreground_color: string;
  readonly accent_color: string;
}

const paletteOn = (ground: Rgb, foreground: Rgb, accent: Rgb): Palette => {
  const pole = poleAgainst(ground);
  const surface = mix(ground, pole === BLACK ? WHITE : [90, 90, 90], pole === BLACK ? 0.6 : 0.18);
  const grounds = [ground, surface];
  const ink = readableOn(foreground, grounds, STRONG);
  const filled = readableOn(accent, [ground], EDGE);
  return {
    ground: format(ground),
    surface: format(surface),
    ink: format(ink),
    muted: format(readableOn(mix(ink, ground, 0.35), grounds, TEXT)),
    line: format(mix(ground, ink, 0.14)),
    edge: format(readableOn(mix(ink, ground, 0.5), grounds, EDGE)),
    accent: format(filled),
    onAccent: format(readableOn(poleAgainst(filled), [filled], TEXT)),
    accentText: format(readableOn(accent, grounds, TEXT)),
  };
};

const groundOf = (color: Rgb): Rgb => {
  const pole = poleAgainst(color);
  const away = pole === BLACK ? WHITE : BLACK;
  return towards(color, away, (mixed) => contrast(mixed, pole) >= GROUND);
};

/** A dark background of the brand's own serves both. */
export const palettesOf = (brand: BrandColors): { readonly light: Palette; readonly dark: Palette } => {
  const [background, foreground, accent] = [
    parse(brand.background_color),
    parse(brand.foreground_color),
    parse(brand.accent_color),
  ];
  const ground = groundOf(background);
  const light = paletteOn(ground, foreground, accent);
  if (poleAgainst(ground) === WHITE) return { light, dark: light };
  const night = towards(mix(foreground, [24, 24, 27], 0.7), BLACK, (mixed) => contrast(mixed, WHITE) >= 15);
  return { light, dark: paletteOn(night, background, accent) };
};

const PROPERTIES: Readonly<Record<keyof Palette, string>> = {
  ...{ ground: '--ground', surface: '--surface', ink: '--ink', muted: '--muted', line: '--line' },
  ...{ edge: '--edge', accent: '--accent', onAccent: '--on-accent', accentText: '--accent-text' },
};

const declarations = (palette: Palette): string =>
  (Object.keys(PROPERTIES) as (keyof Palette)[])
    .map((name) => `${PROPERTIES[name]}:${palette[name]}`)
    .join(';');

/** The custom properties that the stylesheet uses. */
export const themeStyle = (brand: BrandColors): string => {
  const { light, dark } = palettesOf(brand);
  const scheme = light === dark ? 'dark' : 'light';
  return `:root{color-scheme:${scheme};${declarations(light)}}@media(prefers-color-scheme:dark){:root{color-scheme:dark;${declarations(dark)}}}`;
};

/** Of pages that belong to no shop. */
export const OWN_COLORS: BrandColors = {
  background_color: '#FBF7F1',
  foreground_color: '#2B1D14',
  accent_color: '#8A4B20',
};
