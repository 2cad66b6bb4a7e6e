/**
 * A fixed fast-check seed: property tests run the same cases on every machine. `AHWA_SEED` sets another, `npm run soak`
 * a random one. A failing property prints its seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.AHWA_SEED ?? 20_260_702) });
