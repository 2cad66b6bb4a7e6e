import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder } from '../../test/support/programs/data-folder.ts';
import { coresAt } from './cores.ts';

const machineWith = (files: Readonly<Record<string, string>>): string => {
  const root = dataFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
};

const ALL = availableParallelism();
const V1 = '4:memory:/\n1:cpu,cpuacct:/docker/abc\n0::/';

test.each([
  ['a machine without control groups has all its cores', {}, ALL],
  [
    'so has a container without a limit',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': 'max 100000' },
    ALL,
  ],
  [
    'a container has whole cores',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '199999 100000' },
    1,
  ],
  ['less than a core is one', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '20000 100000' }, 1],
  [
    'more than the machine has is what it has',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '900000000 100000' },
    ALL,
  ],
  [
    'a service has what the group around it has',
    {
      'proc/self/cgroup': '0::/system.slice/ahwa.service',
      'sys/fs/cgroup/system.slice/ahwa.service/cpu.max': 'max 100000',
      'sys/fs/cgroup/system.slice/cpu.max': '100000 100000',
    },
    1,
  ],
  [
    'the first version of control groups names its quota otherwise',
    {
      'proc/self/cgroup': V1,
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    },
    1,
  ],
  ['and no limit too', { 'proc/self/cgroup': V1, 'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1' }, ALL],
  [
    'a file in another form limits nothing',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '?' },
    ALL,
  ],
] as const)('%s', (_, files, cores) => {
  expect(coresAt(machineWith(files))).toBe(cores);
});
