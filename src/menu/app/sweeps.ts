import { forEachDue, untilNoneDue, type Sweep } from '../../platform/app/sweep.ts';
import { shopsWithExpiredChannelModes, shopsWithExpiredSnoozes } from '../store/sweep.ts';
import { endChannelModes, endSnoozes } from './sale-control.ts';

export const sweeps: readonly Sweep[] = [
  {
    name: 'paused channels',
    everyMs: 0,
    run: forEachDue({
      find: ({ db }, query) => shopsWithExpiredChannelModes(db.kysely, query),
      handle: untilNoneDue(endChannelModes),
    }),
  },
  {
    name: 'sold-out items',
    everyMs: 0,
    run: forEachDue({
      find: ({ db }, query) => shopsWithExpiredSnoozes(db.kysely, query),
      handle: untilNoneDue(endSnoozes),
    }),
  },
];
