/** The cores that this process may use: a container or service is often given a share of a machine. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** What a control group is given of each period, in the same unit; null: not limited. */
type Quota = readonly [quota: number, period: number] | null;

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

/** Version 2: `max 100000`, or `150000 100000`. */
const quotaIn = (folder: string): Quota => {
  const [quota, period] = textOf(join(folder, 'cpu.max'))?.split(' ') ?? [];
  return quota === undefined || quota === 'max' ? null : [Number(quota), Number(period)];
};

/** Version 1: -1 is no limit. */
const oldQuotaIn = (folder: string): Quota => {
  const [quota, period] = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => textOf(join(folder, name)));
  return quota == null || quota === '-1' ? null : [Number(quota), Number(period)];
};

/** `/a/b`, `/a` and the root. */
const withParents = (path: string): readonly string[] => {
  const names = path.split('/').filter((name) => name !== '');
  return Array.from({ length: names.length + 1 }, (_, gone) => names.slice(0, names.length - gone).join('/'));
};

/**
 * Of the control groups of this process and those around them. A container sees its own as the root, whatever path
 * the kernel names.
 */
const quotasAt = (root: string): readonly Quota[] =>
  (textOf(join(root, 'proc/self/cgroup')) ?? '').split('\n').flatMap((line) => {
    const [id, controllers = '', path = ''] = line.split(':');
    if (id === '0') return withParents(path).map((group) => quotaIn(join(root, 'sys/fs/cgroup', group)));
    if (!controllers.split(',').includes('cpu')) return [];
    return withParents(path).map((group) => oldQuotaIn(join(root, 'sys/fs/cgroup/cpu', group)));
  });

/** Whole cores, one at least. `root`: of the file system. */
export const coresAt = (root: string): number => {
  const shares = quotasAt(root).map((quota) => (quota === null ? Infinity : quota[0] / quota[1]));
  const allowed = Math.min(...shares.filter((share) => share > 0), availableParallelism());
  return Math.max(1, Math.floor(allowed));
};
