import { createServer, type AddressInfo } from 'node:net';
import { withPort, type Config } from '../config.ts';
import { codeOf } from '../platform/domain/fault-code.ts';
import { printStatus, StartError } from './faults.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Other errors are returned unchanged. */
const portFault = (fault: unknown, key: string, { host, port }: Address): unknown => {
  const reason = REASONS[codeOf(fault)];
  return reason === undefined
    ? fault
    : new StartError(`${host}:${port} ${reason}; set ${key} to another.`, { cause: fault });
};

/** Throws StartError when `listen` cannot have the port. */
export const onPort = async <T>(key: string, address: Address, listen: () => Promise<T>): Promise<T> => {
  try {
    return await listen();
  } catch (fault) {
    throw portFault(fault, key, address);
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

export const PORT_KEY = 'PORT or HOST';

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
  if (metrics?.chosen === true) await onPort('METRICS_PORT', metrics, () => tryPort(metrics));
  return withPort(config, await onPort(PORT_KEY, config, () => tryPort(config)));
};
