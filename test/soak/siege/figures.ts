/** What the server says of itself on the port of its metrics. */
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../../support/doors.ts';

export const GAUGES = [
  'ahwa_http_requests_waiting',
  'ahwa_http_bodies_arriving',
  'ahwa_http_body_bytes',
  'ahwa_http_connections',
] as const;
type Gauge = (typeof GAUGES)[number];

export interface Figures {
  readonly gauges: Readonly<Record<Gauge, number>>;
  /** Resident memory, bytes. */
  readonly memory: number;
  /** Longest delay of the event loop since the figures were last read, ms. */
  readonly blocked: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const STATUS = /^ahwa_http_requests_total\{.*status="(\d{3})"\} (\d+)$/gm;

/** Throws where a figure is missing. */
export const figuresIn = (text: string): Figures => {
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

export const figuresAt = async (metricsPort: number): Promise<Figures> =>
  figuresIn((await ask(metricsPort, '/metrics')).text);

const isIdle = ({ gauges }: Figures): boolean => GAUGES.every((name) => gauges[name] === 0);

/** The figures once every gauge is zero, or those after so many ms. */
export const figuresWhenIdle = async (metricsPort: number, patienceMs: number): Promise<Figures> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const figures = await figuresAt(metricsPort);
    if (isIdle(figures) || performance.now() > deadline) return figures;
    await pause(50);
  }
};
