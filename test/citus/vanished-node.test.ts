/** The machine of a node vanishes: nothing that is sent to it is answered, not even by a refusal. Needs root and nftables. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { aBranch, aShopFile, daily } from '../support/shops/cafe.ts';
import { BLOW_MS, feedFailures, noticed } from './blows.ts';
import { useCluster } from './cluster.ts';

const SLUGS = ['one', 'two', 'three', 'six'].map((name) => `cafe-${name}`);
const [FIRST = ''] = SLUGS;
/** Within which a node must take a connection, and acknowledge what is sent. */
const ANSWER_MS = 1_500;
/** Statements meet the silence, the nodes are asked, and the phone of an order may be there too. */
const SLOWEST_MS = 4 * ANSWER_MS;
/** Of a refusal once a server knows the node: the phone may be there too, and is waited for. */
const REFUSED_MS = 2 * ANSWER_MS;
/** Of packet filters. */
const TABLE = `ahwa_test_${process.pid}`;

const open = aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false });
const cluster = useCluster({
  shops: SLUGS.map((slug) => aShopFile({ slug, branches: [open] })),
  ...{ servers: 2, settings: [`citus.node_connection_timeout = ${ANSWER_MS}`] },
  nodeConnections: `tcp_user_timeout=${ANSWER_MS} keepalives_idle=1`,
});

const nft = (...command: readonly string[]): void => {
  execFileSync('nft', command);
};
let hasVanished = false;
const vanish = (port: number): void => {
  nft('add', 'table', 'inet', TABLE);
  hasVanished = true;
  nft('add', 'chain', 'inet', TABLE, 'out', '{ type filter hook output priority 0; }');
  nft('add', 'rule', 'inet', TABLE, 'out', 'tcp', 'dport', String(port), 'drop');
  nft('add', 'rule', 'inet', TABLE, 'out', 'tcp', 'sport', String(port), 'drop');
};
const comeBack = (): void => {
  if (hasVanished) nft('delete', 'table', 'inet', TABLE);
  hasVanished = false;
};
afterAll(comeBack);

test('when the machine of a node vanishes, shops elsewhere go on, and no acknowledged order is lost', async () => {
  const { port } = await cluster.nodeOf(FIRST);
  const failures = feedFailures(cluster);
  const blow = async (): Promise<void> => {
    vanish(port);
    await pause(2 * BLOW_MS);
    comeBack();
  };
  const found = await noticed(cluster, SLUGS, [port], blow, SLOWEST_MS);
  expect(feedFailures(cluster)).toEqual(failures);
  expect(found.slowest).toBeLessThan(SLOWEST_MS);
  expect(found.refusals).toBeLessThanOrEqual(cluster.servers().length);
  expect(found.laterRefusal).toBeGreaterThan(0);
  expect(found.laterRefusal).toBeLessThan(REFUSED_MS);
}, 300_000);
