import { ending, inParts, type Sweep } from '../../platform/app/sweep.ts';
import { shopsWithExpiredOverrides, shopsWithExpiredSnoozes } from '../store/sweep.ts';
import { endOverrides, endSnoozes } from './sale-control.ts';

export const sweeps: readonly Sweep[] = [
  {
    name: 'paused channels',
    everyMs: 0,
    run: ending({
      find: ({ db }, look) => shopsWithExpiredOverrides(db.kysely, look),
      end: inParts(endOverrides),
    }),
  },
  {
    name: 'sold-out items',
    everyMs: 0,
    run: ending({
      find: ({ db }, look) => shopsWithExpiredSnoozes(db.kysely, look),
      end: inParts(endSnoozes),
    }),
  },
];
