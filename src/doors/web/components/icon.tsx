/** Line drawings on a grid of 24, of the colour of the text beside them. */

const SHAPES = {
  bag: 'M6 8h12l1 12H5L6 8Zm3 0V7a3 3 0 0 1 6 0v1',
  menu: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3V4Zm4 5h6M9 13h6',
  gift: 'M4 11h16v9H4zM3 7h18v4H3zm9 0v13M12 7S7 7 7.500 4.500 12 7 12 7Zm0 0s5 0 4.500-2.500S12 7 12 7Z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  pin: 'M12 21s7-6.500 7-11.500a7 7 0 0 0-14 0C5 14.500 12 21 12 21Zm0-9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  phone:
    'M6 3h4l1.500 5-2.500 2a12 12 0 0 0 5 5l2-2.500 5 1.500v4a3 3 0 0 1-3 3A16 16 0 0 1 3 6a3 3 0 0 1 3-3Z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  check: 'M5 13l4.500 4.500L19 8',
  back: 'M14 6l-6 6 6 6',
  forward: 'M10 6l6 6-6 6',
  down: 'M6 10l6 6 6-6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3.500 2',
  bike: 'M5.500 18a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm13 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM5.500 15H12l3.500-7h-3M9 9.500h3l5 5.500',
  umbrella: 'M3 12a9 9 0 0 1 18 0H3Zm9 0v6.500a2 2 0 0 1-4 0',
  mall: 'M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0Zm7 10v-5h4v5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9a8 8 0 0 1 16 0',
  tag: 'M4 4h8l8 8-8 8-8-8V4Zm4.500 4.500h.01',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  chat: 'M4 5h16v11H10l-5 4v-4H4V5Z',
  cup: 'M5 8h11v7a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4V8Zm11 1.500h1.500a2.500 2.500 0 0 1 0 5H16M8 3v2M12.500 3v2',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7Zm0 0a2 2 0 0 1 2-2h10v2M15.500 13.500h.01',
  offline:
    'M4 4l16 16M8.500 15a5 5 0 0 1 5-1.300M5 11.500A10 10 0 0 1 9 9m3.500-.900A10 10 0 0 1 19 11.500M12 19h.01',
} as const;

export type IconName = keyof typeof SHAPES;

/** Arrows point the other way in Arabic. */
const MIRRORED: ReadonlySet<IconName> = new Set<IconName>(['back', 'forward']);

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={MIRRORED.has(name) ? 'icon mirrored' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={SHAPES[name]} />
  </svg>
);
