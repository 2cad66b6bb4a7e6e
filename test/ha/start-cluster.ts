/** Brings three machines up as docs/scaling.md says, with a shop that is always open. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { aBranch, aShopFile, daily } from '../support/shops/cafe.ts';
import { openCluster, type Cluster, type Passwords } from './cluster.ts';
import type { Altered } from './files.ts';
import { aMachine, type Kit } from './machine.ts';
import { openSwitch } from './network.ts';

const secret = (): string => randomBytes(16).toString('hex');

const kitIn = (folder: string, { owner, serving }: Passwords, altered: Altered): Kit => {
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  execFileSync('chown', ['postgres:', backups]);
  return {
    altered,
    values: {
      ...{ REPLICATION_PASSWORD: secret(), REWIND_PASSWORD: secret(), API_PASSWORD: secret() },
      ...{ OWNER_PASSWORD: owner, SERVE_PASSWORD: serving, BACKUPS: backups },
    },
    ahwa: {
      DATABASE_URL: `postgres://ahwa_serve:${serving}@127.0.0.1:5000/ahwa`,
      MIGRATION_DATABASE_URL: `postgres://ahwa_owner:${owner}@127.0.0.1:5000/ahwa`,
      ...{ SECRET_KEY: secret(), METRICS_PORT: 'off', DEMO: 'false', RATE_LIMIT_SCALE: '0' },
    },
  };
};

const setUp = async (cluster: Cluster): Promise<void> => {
  const primary = await cluster.primary();
  const [socket, roles] = [join(primary.folder, 'sockets'), join(primary.folder, 'roles.sql')];
  await primary.run(['psql', '-h', socket, '-v', 'ON_ERROR_STOP=1', '-f', roles]);
  await primary.run(['pgbackrest', '--stanza=ahwa', 'stanza-create']);
  await cluster.whole();
  const branch = aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false });
  await primary.ahwa(['import', '-'], JSON.stringify(aShopFile({ branches: [branch] })));
  await Promise.all(cluster.machines.map((machine) => cluster.serve(machine)));
};

export const startCluster = async (altered: Altered = (_, text) => text): Promise<Cluster> => {
  const folder = mkdtempSync(join(process.env['AHWA_HA_FOLDER'] ?? '', 'cluster-'));
  // PostgreSQL runs as an ordinary user.
  chmodSync(folder, 0o755);
  const passwords = { owner: secret(), serving: secret() };
  openSwitch();
  const kit = kitIn(folder, passwords, altered);
  const machines = ([1, 2, 3] as const).map((number) => aMachine(number, folder, kit));
  const cluster = openCluster(machines, passwords);
  for (const program of ['etcd', 'patroni', 'haproxy'] as const)
    for (const machine of machines) machine.start(program);
  try {
    await setUp(cluster);
    return cluster;
  } catch (fault) {
    process.stdout.write(cluster.lastWords());
    throw fault;
  }
};
