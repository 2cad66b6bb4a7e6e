import { createServer, type AddressInfo } from 'node:net';
import { withPort, type Config } from '../config.ts';
import { codeOf } from '../platform/domain/fault-code.ts';
import { printStatus, StartError } from './faults.ts';

/** The settings of an address, as they are named in a sentence. */
interface AddressKeys {
  /** What can be changed when the port cannot be used. */
  readonly port: string;
  readonly host: string;
}

const FOREIGN = ['is not an address of this machine', 'host'] as const;

/** By code: what is wrong, and with which setting. */
const REASONS: Readonly<Record<string, readonly [string, keyof AddressKeys]>> = {
  EADDRINUSE: ['is taken by another program', 'port'],
  EACCES: ['may not be used by this user', 'port'],
  EADDRNOTAVAIL: FOREIGN,
  ENOTFOUND: FOREIGN,
  EAI_AGAIN: FOREIGN,
};

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Other errors are returned unchanged. */
const portFault = (fault: unknown, keys: AddressKeys, { host, port }: Address): unknown => {
  const known = REASONS[codeOf(fault)];
  if (known === undefined) return fault;
  const [reason, concerned] = known;
  return new StartError(`${host}:${port} ${reason}; set ${keys[concerned]} to another.`, { cause: fault });
};

/** Throws StartError when `listen` cannot have the port. */
export const onPort = async <T>(
  keys: AddressKeys,
  address: Address,
  listen: () => Promise<T>,
): Promise<T> => {
  try {
    return await listen();
  } catch (fault) {
    throw portFault(fault, keys, address);
  }
};

/** Listens for a moment; returns the port, which is drawn for 0. */
const tryPort = ({ host, port }: Address): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', reject);
    probe.listen(port, host, () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });

export const SERVER_KEYS: AddressKeys = { port: 'PORT or HOST', host: 'HOST' };
export const METRICS_KEYS: AddressKeys = { port: 'METRICS_PORT', host: 'METRICS_HOST' };

const EVERY_HOST: readonly string[] = ['0.0.0.0', '::'];

/** The default port of the metrics gives way. Throws StartError where both ports were chosen. */
const withoutSharedPort = (config: Config): Config => {
  const { metrics, host, port } = config;
  if (metrics?.port !== port || port === 0) return config;
  const isOneHost = host === metrics.host || EVERY_HOST.includes(host) || EVERY_HOST.includes(metrics.host);
  if (!isOneHost) return config;
  if (metrics.chosen)
    throw new StartError(`PORT and METRICS_PORT are both ${port}; set one of them to another.`);
  printStatus(`no metrics: PORT is ${port}, their own port; set METRICS_PORT to another.`);
  return { ...config, metrics: null };
};

/**
 * Before anything is started: a port that cannot be used ends the start while nothing was written. Every
 * absolute link contains the port.
 */
export const settlePorts = async (configured: Config): Promise<Config> => {
  const config = withoutSharedPort(configured);
  const { metrics } = config;
  if (metrics?.chosen === true) await onPort(METRICS_KEYS, metrics, () => tryPort(metrics));
  return withPort(config, await onPort(SERVER_KEYS, config, () => tryPort(config)));
};
