/** Colours: of foods, the same everywhere, and of the shops. */

export const FOOD = {
  coffee: '#3b1f12',
  crema: '#b5722f',
  cremaDark: '#8a4f1e',
  latte: '#c89566',
  milk: '#f6ead6',
  foam: '#fbf3e4',
  cream: '#fff8ec',
  caramel: '#c97a1e',
  chocolate: '#4a2616',
  cocoa: '#7a4526',
  pistachio: '#8fa84a',
  matcha: '#8fae4f',
  tea: '#a83c12',
  hibiscus: '#9c1438',
  mint: '#3f8f4a',
  mintLight: '#62b05f',
  lemon: '#f2cf3a',
  lime: '#b8cf4a',
  orange: '#f39a1f',
  mango: '#f6a81c',
  bread: '#dba25a',
  crust: '#c27a32',
  tomato: '#d8402e',
  pepper: '#4f9140',
  leaf: '#5a9a41',
  leafDark: '#33702f',
  rice: '#f7edd8',
  cheese: '#f6cf62',
  tahini: '#e6d1a8',
  pomegranate: '#b3142f',
  clay: '#a8542c',
  brass: '#d3a043',
  copper: '#c0703a',
  steel: '#b9bfc4',
  wood: '#b67f4b',
  glass: '#ffffff',
} as const;

export interface ShopPalette {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
  /** Flat backgrounds of item pictures; a category of the menu takes the next one. */
  readonly tints: readonly string[];
  /** The quiet shape behind an item: a house for Beit El Bunn, an angle for Zawya, a moon for Layaly. */
  readonly behind: 'house' | 'angle' | 'moon';
  readonly shadow: string;
  /** Shadows are stronger on a dark background. */
  readonly shadowOpacity: number;
  readonly cup: string;
  readonly cupSecond: string;
  readonly saucer: string;
  readonly plate: string;
  /** The ring of a plate. */
  readonly ring: string;
  readonly straw: string;
  readonly napkin: string;
}

export const BEIT: ShopPalette = {
  background: '#f7f0e6',
  foreground: '#3a2416',
  accent: '#a4521f',
  tints: ['#f0d8bd', '#ecdcc0', '#efcfbb', '#dfdcc3'],
  behind: 'house',
  shadow: '#5a2c10',
  shadowOpacity: 0.2,
  cup: '#fffaf1',
  cupSecond: '#b8622c',
  saucer: '#f7ecda',
  plate: '#fffaf1',
  ring: '#d99d6c',
  straw: '#a4521f',
  napkin: '#a4521f',
};

export const ZAWYA: ShopPalette = {
  background: '#fbfaf5',
  foreground: '#1f2a2e',
  accent: '#1f6f78',
  tints: ['#cfe3e1', '#efe4cf', '#d6e2ea', '#f1dccd'],
  behind: 'angle',
  shadow: '#12373c',
  shadowOpacity: 0.2,
  cup: '#2a7f88',
  cupSecond: '#f5f4ec',
  saucer: '#f5f4ec',
  plate: '#fdfcf7',
  ring: '#4d9aa0',
  straw: '#1f6f78',
  napkin: '#7fb3b5',
};

export const LAYALY: ShopPalette = {
  background: '#14213d',
  foreground: '#f8f1e1',
  accent: '#e0a63a',
  tints: ['#1d2d52', '#24305c', '#1b3853', '#2b2c55'],
  behind: 'moon',
  shadow: '#050a18',
  shadowOpacity: 0.45,
  cup: '#fbf5e6',
  cupSecond: '#e0a63a',
  saucer: '#f3e7cb',
  plate: '#fbf5e6',
  ring: '#e0a63a',
  straw: '#e0a63a',
  napkin: '#8c2f39',
};
