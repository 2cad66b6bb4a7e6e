/** The files of `deploy/ha` for one machine, with its own folders; and the programs of PostgreSQL with its clock. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KIT = join(ROOT, 'deploy', 'ha');

const NEWEST = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))[0] ?? '';
export const PG_BIN = `/usr/lib/postgresql/${NEWEST}/bin`;

export type MachineNumber = 1 | 2 | 3;
export type Values = Readonly<Record<string, string>>;

/**
 * Clocks of the machines are seconds apart, for PostgreSQL and for Ahwa. etcd (linked statically) and Patroni (whose
 * sleep the library breaks) have the right time.
 */
const CLOCKS: Readonly<Record<MachineNumber, string>> = { 1: '+0s', 2: '+4s', 3: '-4s' };
const LIBRARIES = readdirSync('/usr/lib').find((name) => name.endsWith('-linux-gnu')) ?? '';

/** What a command begins with to have the clock of a machine. */
export const clockOf = (machine: MachineNumber): readonly string[] => [
  ...['env', `LD_PRELOAD=/usr/lib/${LIBRARIES}/faketime/libfaketimeMT.so.1`, `FAKETIME=${CLOCKS[machine]}`],
  'FAKETIME_DONT_FAKE_MONOTONIC=1',
];

/** A copy of PG_BIN whose `postgres` has the clock of the machine. */
export const writePrograms = (machine: MachineNumber, folder: string): void => {
  mkdirSync(folder);
  for (const program of readdirSync(PG_BIN))
    if (program !== 'postgres') symlinkSync(join(PG_BIN, program), join(folder, program));
  const command = [...clockOf(machine), join(PG_BIN, 'postgres')].join(' ');
  writeFileSync(join(folder, 'postgres'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
};

const FILES = ['etcd.conf', 'patroni.yml', 'haproxy.cfg', 'pgbouncer.ini', 'pgbackrest.conf', 'roles.sql'];

/** Changes a file after it is filled in. */
export type Altered = (file: string, text: string) => string;

/** `machine.env` with these values in place of its own, and what `fill` makes of the files with it. */
export const writeFiles = (folder: string, values: Values, altered: Altered): void => {
  const env = join(folder, 'machine.env');
  const lines = readFileSync(join(KIT, 'machine.env'), 'utf8').split('\n');
  const own = lines.map((line) => {
    const name = /^(\w+)=/.exec(line)?.[1] ?? '';
    return name in values ? `${name}=${values[name] ?? ''}` : line;
  });
  writeFileSync(env, own.join('\n'));
  for (const file of FILES) {
    const text = execFileSync(join(KIT, 'fill'), [env, join(KIT, file)], { encoding: 'utf8' });
    writeFileSync(join(folder, file), altered(file, text));
  }
};

/** The variables of an environment file of systemd. */
export const variablesIn = (file: string): Values =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
