/**
 * Property tests roll the same cases every time, so that what passes here passes everywhere: `AHWA_SEED` rolls others, and
 * `npm run soak` always does. A failing property prints the seed that it failed with.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.AHWA_SEED ?? 20_260_702) });
