import type { Sweep } from '../../platform/app/sweep.ts';
import { greetMembers } from './greetings.ts';

export const sweeps: readonly Sweep[] = [
  { name: 'birthdays and absences of members', everyMs: 60_000, run: greetMembers },
];
