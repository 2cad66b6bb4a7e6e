/** SVG as strings. Angles are degrees, lengths are units of the view box, y points down. */

/** A piece of SVG markup. */
export type Art = string;

/** `#rrggbb` or `#rrggbbaa`, or a paint of `vertical`, `across` or `radial`. */
export type Paint = string;

/** A colour and where it stands, in percent of the way. */
export type Stop = readonly [colour: string, percent: number];

const faded = (opacity: number) => (opacity === 1 ? '' : ` opacity="${opacity}"`);

export const path = (d: string, fill: Paint, opacity = 1): Art =>
  `<path d="${d}" fill="${fill}"${faded(opacity)}/>`;

/** A line with round ends and corners; the whole file has `fill="none"`. */
export const stroke = (d: string, colour: Paint, width: number, opacity = 1): Art =>
  `<path d="${d}" stroke="${colour}" stroke-width="${width}"${faded(opacity)}/>`;

export const oval = (x: number, y: number, rx: number, ry: number, fill: Paint, opacity = 1): Art =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"${faded(opacity)}/>`;

export const circle = (x: number, y: number, r: number, fill: Paint, opacity = 1): Art =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"${faded(opacity)}/>`;

/** A rectangle with corners of radius `r`. */
export const box = (x: number, y: number, w: number, h: number, r: number, fill: Paint, opacity = 1): Art =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"${faded(opacity)}/>`;

/** `art` moved so that its origin is at (x, y), turned clockwise and enlarged. */
export const at = (x: number, y: number, art: Art, turn = 0, size = 1, sizeY = size): Art => {
  const turned = turn === 0 ? '' : ` rotate(${turn})`;
  const sized = size === 1 && sizeY === 1 ? '' : ` scale(${size}${sizeY === size ? '' : ` ${sizeY}`})`;
  const transform = `transform="translate(${x} ${y})${turned}${sized}"`;
  return /^<use [^>]*>$/.test(art) ? art.replace('/>', ` ${transform}/>`) : `<g ${transform}>${art}</g>`;
};

const hash = (text: string): number => {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
};

// Keyed by a hash of the art, so that the same art has one id in every file.
const sharedArt = new Map<string, Art>();

/** Art that a file holds once, however often it is drawn. */
export const shared = (art: Art): Art => {
  const id = `u${hash(art).toString(36)}`;
  sharedArt.set(id, art);
  return `<use href="#${id}"/>`;
};

const sharedBy = (art: Art, known = new Set<string>()): Art => {
  const ids = [...new Set([...art.matchAll(/<use href="#(\w+)"/g)].map((match) => match[1] ?? ''))];
  return ids
    .filter((id) => !known.has(id))
    .map((id) => {
      known.add(id);
      const part = sharedArt.get(id) ?? '';
      return `${sharedBy(part, known)}<g id="${id}">${part}</g>`;
    })
    .join('');
};

/** Shows `art` only inside the outline `d`. */
export const clip = (d: string, art: Art): Art => {
  const id = `c${hash(d).toString(36)}`;
  return `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${art}</g>`;
};

// The id of a gradient holds its kind and stops, so that a paint is a plain string; `finish` writes the definition.
const gradient =
  (kind: 'v' | 'h' | 'r' | 'g') =>
  (...stops: readonly Stop[]): Paint =>
    `url(#${kind}${stops.map(([colour, percent]) => `-${colour.slice(1)}_${percent}`).join('')})`;

/** From the top to the bottom of the painted shape. */
export const vertical = gradient('v');
/** From the left to the right. */
export const across = gradient('h');
/** From a point up and left of the middle outwards. */
export const radial = gradient('r');
/** From the middle outwards: the light around a lamp. */
export const glow = gradient('g');

const GRADIENT_TAGS = {
  v: ['linearGradient', ' x2="0" y2="1"'],
  h: ['linearGradient', ''],
  r: ['radialGradient', ' cx=".4" cy=".36" r=".7"'],
  g: ['radialGradient', ''],
} as const;

const shortId = (id: string) => `g${hash(id).toString(36)}`;

const definition = (id: string): Art => {
  const [kind, ...stops] = id.split('-');
  const [tag, direction] = GRADIENT_TAGS[kind === 'v' || kind === 'h' || kind === 'g' ? kind : 'r'];
  const written = stops.map((stop) => {
    const [colour = '', percent = '0'] = stop.split('_');
    const alpha = colour.length === 8 ? Math.round((parseInt(colour.slice(6), 16) / 255) * 100) / 100 : 1;
    const seeThrough = alpha === 1 ? '' : ` stop-opacity="${alpha}"`;
    return `<stop offset="${Number(percent) / 100}" stop-color="#${colour.slice(0, 6)}"${seeThrough}/>`;
  });
  return `<${tag} id="${shortId(id)}"${direction}>${written.join('')}</${tag}>`;
};

const LENGTHS = / (d|cx|cy|r|rx|ry|x|y|width|height|stroke-width|transform)="([^"]*)"/g;

/** A whole SVG file: definitions of the gradients used, lengths rounded to one decimal, scales to two. */
export const finish = (width: number, height: number, art: Art): string => {
  const parts = sharedBy(art);
  const whole = parts === '' ? art : `<defs>${parts}</defs>${art}`;
  const written = whole.replace(LENGTHS, (_, name: string, value: string) => {
    const digits = name === 'transform' ? 100 : 10;
    const numbers = value.replace(/-?\d*\.\d+(e-\d+)?/g, (number) => {
      return String(Math.round(Number(number) * digits) / digits);
    });
    return ` ${name}="${numbers}"`;
  });
  const clips = new Set<string>();
  const once = written.replace(/<clipPath id="(\w+)">.*?<\/clipPath>/g, (tag, id: string) => {
    if (clips.has(id)) return '';
    clips.add(id);
    return tag;
  });
  const ids = [...new Set([...once.matchAll(/url\(#([vhrg]-[^)]+)\)/g)].map((match) => match[1] ?? ''))];
  const short = once
    .replace(/url\(#([vhrg]-[^)]+)\)/g, (_, id: string) => `url(#${shortId(id)})`)
    .replace(/ opacity="0\./g, ' opacity=".');
  const defs = ids.length === 0 ? '' : `<defs>${ids.map(definition).join('')}</defs>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none" stroke-linecap="round" stroke-linejoin="round">${defs}${short}</svg>\n`;
};

const channels = (colour: string) => [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16));

/** The colour `part` of the way from `a` to `b`; both are `#rrggbb`. */
export const mix = (a: string, b: string, part: number): string => {
  const target = channels(b);
  const mixed = channels(a).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};
export const lighter = (colour: string, part: number): string => mix(colour, '#ffffff', part);
/** Towards a warm black: shadows of food and clay are never grey. */
export const darker = (colour: string, part: number): string => mix(colour, '#22100a', part);

/** Light from the left on a rounded thing of one colour. */
export const rounded = (colour: string): Paint =>
  across([lighter(colour, 0.14), 0], [colour, 45], [darker(colour, 0.2), 100]);

/** Numbers from 0 to 1, always the same ones for a seed. */
export const random = (seed: string): (() => number) => {
  let state = hash(seed);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** A turn, 0 to 360. */
  readonly turn: number;
  /** 0 to 1. */
  readonly chance: number;
}

/** `count` spots in an ellipse around the origin, far from one another. */
export const scatter = (seed: string, count: number, rx: number, ry = rx): Spot[] => {
  const next = random(seed);
  const spots: Spot[] = [];
  while (spots.length < count) {
    const candidates = Array.from({ length: 12 }, () => {
      const angle = next() * 2 * Math.PI;
      const away = Math.sqrt(next());
      const spot = {
        x: Math.cos(angle) * away * rx,
        y: Math.sin(angle) * away * ry,
        turn: Math.round(next() * 360),
        chance: next(),
      };
      const gap = Math.min(...spots.map((other) => Math.hypot(other.x - spot.x, other.y - spot.y)));
      return { spot, gap };
    });
    const best = candidates.reduce((a, b) => (b.gap > a.gap ? b : a));
    spots.push(best.spot);
  }
  return spots;
};

/** Short lines of one colour in one path: grains, seeds, crumbs. Of length 0 they are dots. */
export const grains = (spots: readonly Spot[], length: number, colour: string, width: number): Art => {
  const d = spots.map(({ x, y, turn }) => {
    const dx = (Math.cos((turn * Math.PI) / 180) * length) / 2;
    const dy = (Math.sin((turn * Math.PI) / 180) * length) / 2;
    return `M${Math.round(x - dx)} ${Math.round(y - dy)}${length === 0 ? 'h.1' : `l${Math.round(dx * 2)} ${Math.round(dy * 2)}`}`;
  });
  return stroke(d.join(''), colour, width);
};

/** `art` once at every spot, turned as the spot says. */
export const strew = (spots: readonly Spot[], art: Art | ((spot: Spot) => Art), size = 1): Art =>
  spots
    .map((spot) =>
      at(
        Math.round(spot.x),
        Math.round(spot.y),
        shared(typeof art === 'string' ? art : art(spot)),
        spot.turn,
        size,
      ),
    )
    .join('');
