/** Our mark: a small cup, seen from the side, with its steam. */

/** On a square of 48. */
const MARK = {
  steam: 'M19 6c-3 3 3 5 0 8M27 4c-3 3.500 3 6 0 10',
  cup: 'M9 18h28v9a12 12 0 0 1-12 12h-4A12 12 0 0 1 9 27v-9Z',
  handle: 'M37 20h2a5 5 0 0 1 0 10h-2.500',
  saucer: 'M8 43h30',
} as const;

const stroke = 'fill="none" stroke="#FBF7F1" stroke-width="3" stroke-linecap="round"';

/** As a file, readable on light and dark tabs. */
export const ICON_SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
  '<rect width="64" height="64" rx="14" fill="#8A4B20"/>',
  '<g transform="translate(9 8)">',
  `<path ${stroke} d="${MARK.steam}"/>`,
  `<path fill="#FBF7F1" d="${MARK.cup}"/>`,
  `<path ${stroke} d="${MARK.handle}"/>`,
  `<path ${stroke} d="${MARK.saucer}"/>`,
  '</g></svg>',
].join('');
