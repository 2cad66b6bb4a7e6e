/** The server's metrics. */
import { setTimeout as pause } from 'node:timers/promises';
import { httpRequest } from '../../support/server/http-client.ts';

export const GAUGES = [
  'ahwa_http_requests_waiting',
  'ahwa_http_bodies_arriving',
  'ahwa_http_body_bytes',
  'ahwa_http_connections',
  'ahwa_long_searches',
] as const;
type Gauge = (typeof GAUGES)[number];

export interface ServerMetrics {
  readonly gauges: Readonly<Record<Gauge, number>>;
  /** Resident memory, bytes. */
  readonly memory: number;
  /** Longest delay of the event loop since the last read, ms. */
  readonly blocked: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const STATUS = /^ahwa_http_requests_total\{.*status="(\d{3})"\} (\d+)$/gm;

/** Throws when a metric is missing. */
export const parseMetrics = (text: string): ServerMetrics => {
  const figure = (name: string): number => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`The metrics have no ${name}.`);
    return Number(found);
  };
  const statuses: Record<string, number> = {};
  for (const [, status = '', count] of text.matchAll(STATUS))
    statuses[status] = (statuses[status] ?? 0) + Number(count);
  return {
    gauges: Object.fromEntries(GAUGES.map((name) => [name, figure(name)])) as Record<Gauge, number>,
    memory: figure('process_resident_memory_bytes'),
    blocked: figure('nodejs_eventloop_lag_max_seconds') * 1_000,
    statuses,
  };
};

export const readMetrics = async (metricsPort: number): Promise<ServerMetrics> =>
  parseMetrics((await httpRequest(metricsPort, '/metrics')).text);

const isIdle = ({ gauges }: ServerMetrics): boolean => GAUGES.every((name) => gauges[name] === 0);

/** The metrics once every gauge is zero, or after `patienceMs`. */
export const metricsWhenIdle = async (metricsPort: number, patienceMs: number): Promise<ServerMetrics> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const figures = await readMetrics(metricsPort);
    if (isIdle(figures) || performance.now() > deadline) return figures;
    await pause(50);
  }
};
