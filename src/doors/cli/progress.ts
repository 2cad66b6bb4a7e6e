/** Long work of a command tells how far it is. */
import { printStatus } from '../../serve/faults.ts';
import type { Progress } from '../../platform/store/backup.ts';

const PROGRESS_MS = 5_000;

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export const withProgress = async <T>(
  verb: string,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> => {
  let at: Progress | null = null;
  const timer = setInterval(() => {
    printStatus(at === null ? verb : `${verb}: ${at.table}, ${counted(at.rows, 'row')}`);
  }, PROGRESS_MS);
  try {
    return await work((progress) => (at = progress));
  } finally {
    clearInterval(timer);
  }
};
