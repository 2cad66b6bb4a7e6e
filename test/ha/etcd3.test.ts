/**
 * The counter-test: with `etcd3` in place of `etcd` in Patroni before 3.0.3, a frozen primary that wakes takes the
 * leader key from its successor, and orders are lost. The comparison of the ledger must find them.
 */
import { execFileSync } from 'node:child_process';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Cluster } from './cluster.ts';
import { freezeInRound, openScenario } from './scenario.ts';
import { IS_SMALL } from './size.ts';
import { startCluster } from './start-cluster.ts';

const version = (/\d+\.\d+\.\d+/.exec(execFileSync('patroni', ['--version'], { encoding: 'utf8' })) ?? [
  '',
])[0];
const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
const isRepaired = major > 3 || (major === 3 && (minor > 0 || patch >= 3));

let cluster: Cluster;

beforeAll(async () => {
  if (IS_SMALL) return undefined;
  cluster = await startCluster((file, text) =>
    file === 'patroni.yml' ? text.replace(/^etcd:$/m, 'etcd3:') : text,
  );
  return () => cluster.close();
});
beforeEach(({ onTestFailed }) => onTestFailed(() => void process.stdout.write(cluster.lastWords())));

test.skipIf(IS_SMALL)(
  `Patroni ${version} with etcd3 ${isRepaired ? 'loses no order' : 'loses orders'} when it is frozen and wakes`,
  async () => {
    const primary = await cluster.primary();
    const { found } = await openScenario(cluster).under(`Patroni ${version} with etcd3 frozen`, async () => {
      await freezeInRound(cluster, primary);
      // Standbys of the successor may follow nobody from now on: the archive has its log too.
      await cluster.agreed();
    });
    if (isRepaired) expect(found.lost).toBe(0);
    else expect(found.lost).toBeGreaterThan(0);
  },
);
