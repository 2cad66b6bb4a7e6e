/** A switch, with a network namespace for each machine that is plugged in to it. Guests are at the switch. */
import { execFileSync } from 'node:child_process';
import type { MachineNumber } from './files.ts';

/** The addresses of `machine.env`. */
export const addressOf = (machine: MachineNumber): string => `10.77.0.${machine}`;

const ip = (...args: readonly string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

export const openSwitch = (): void => {
  ip('link', 'add', 'switch', 'type', 'bridge');
  ip('addr', 'add', '10.77.0.254/24', 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
};

export const closeSwitch = (): string => ip('link', 'del', 'switch');

export interface Namespace {
  readonly name: string;
  /** The processes in it. */
  processes(): readonly number[];
  plug(state: 'up' | 'down'): void;
  /** Drops each packet from and to the other machines, and none of guests. */
  cut(): void;
  heal(): void;
  remove(): void;
}

export const openNamespace = (machine: MachineNumber, name: string): Namespace => {
  const port = `port-${machine}`;
  ip('netns', 'add', name);
  ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', port, 'master', 'switch', 'up');
  ip('-n', name, 'addr', 'add', `${addressOf(machine)}/24`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const nft = (...args: readonly string[]): string => ip('netns', 'exec', name, 'nft', ...args);
  const others = ([1, 2, 3] as const).filter((other) => other !== machine).map(addressOf);
  const drop = (hook: 'input' | 'output', side: 'saddr' | 'daddr'): void => {
    nft('add', 'chain', 'inet', 'cut', hook, `{ type filter hook ${hook} priority 0; }`);
    nft('add', 'rule', 'inet', 'cut', hook, 'ip', side, `{ ${others.join(', ')} }`, 'drop');
  };
  return {
    name,
    processes: () => ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number),
    plug: (state) => ip('link', 'set', port, state),
    cut: () => {
      nft('add', 'table', 'inet', 'cut');
      drop('input', 'saddr');
      drop('output', 'daddr');
    },
    heal: () => nft('delete', 'table', 'inet', 'cut'),
    remove: () => {
      // At once; with the namespace it would go some time later.
      ip('link', 'del', port);
      ip('netns', 'del', name);
    },
  };
};
