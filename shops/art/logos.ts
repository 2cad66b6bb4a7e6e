/** The marks of the shops, in a square of 512 that survives a round crop. */
import { BEIT, LAYALY, ZAWYA } from './palette.ts';
import { at, box, clip, oval, path, stroke, type Art } from './svg.ts';

/** A coffee bean of half height `r`, its cleft in a second colour. */
const beanMark = (r: number, colour: string, cleft: string): Art =>
  oval(0, 0, r * 0.7, r, colour) +
  stroke(
    `M${r * 0.1} ${-r * 1.02}C${-r * 0.5} ${-r * 0.4} ${r * 0.5} ${r * 0.4} ${-r * 0.1} ${r * 1.02}`,
    cleft,
    r * 0.19,
  );

/** A house (beit) with a bean (bunn) for its door. */
export const beitLogo: Art =
  box(0, 0, 512, 512, 112, BEIT.accent) +
  path(
    'M116 388V236Q116 218 130 206L236 112Q256 96 276 112L382 206Q396 218 396 236V388Q396 412 372 412H140Q116 412 116 388Z',
    BEIT.background,
  ) +
  at(256, 290, beanMark(96, BEIT.foreground, BEIT.background), 24);

/** A cup in an angle (zawya); one colour, so that a page may recolour it. */
export const zawyaLogo: Art =
  stroke('M126 96V386H416', ZAWYA.accent, 58) +
  path('M188 206H350V248C350 300 318 326 269 326S188 300 188 248Z', ZAWYA.accent) +
  stroke('M352 228C408 220 402 296 338 284', ZAWYA.accent, 25) +
  stroke('M234 168c-24 -24 24 -42 0 -72M302 168c-24 -24 24 -42 0 -72', ZAWYA.accent, 22);

/** A crescent (night) that holds a flame (grill). */
export const layalyLogo: Art =
  box(0, 0, 512, 512, 112, LAYALY.background) +
  path('M300 92A168 168 0 1 0 420 300A140 140 0 1 1 300 92Z', LAYALY.accent) +
  path(
    'M296 170C336 210 358 240 350 282C344 318 318 336 290 336S234 316 232 280C230 256 242 240 254 226C258 242 264 250 272 252C268 220 276 192 296 170Z',
    LAYALY.foreground,
  );

const AWNING = 'M112 132H400L432 236H80Z';

/** A kiosk under its striped awning. */
export const kashkLogo: Art =
  box(0, 0, 512, 512, 112, '#f2b632') +
  box(120, 220, 272, 196, 12, '#3a2416') +
  box(148, 262, 216, 84, 8, '#fff3d6') +
  box(104, 346, 304, 34, 12, '#fff8ea') +
  clip(
    AWNING,
    path(AWNING, '#fff8ea') + path('M150 120H208L196 240H116ZM304 120H362L396 240H316Z', '#d8402e'),
  ) +
  [80, 197.4, 314.6].map((x) => path(`M${x} 236h58.6a29.3 34 0 0 1 -58.6 0Z`, '#d8402e')).join('') +
  [138.7, 256].map((x) => path(`M${x} 236h58.6a29.3 34 0 0 1 -58.6 0Z`, '#fff8ea')).join('') +
  path('M373.3 236H432a29.3 34 0 0 1 -58.7 0Z', '#fff8ea') +
  path('M222 296H290L282 340Q281 346 274 346H238Q231 346 230 340Z', '#d8402e') +
  stroke('M288 306q24 2 18 20q-4 8 -22 8', '#d8402e', 9);
