/** A siege: all attacks at once beside legitimate clients; and the state of the server afterwards. */
import { httpRequest } from '../../support/server/http-client.ts';
import type { Server } from '../../support/programs/program.ts';
import { metricsWhenIdle, GAUGES, type ServerMetrics } from './metrics.ts';
import { forbidden, tallyText, type TallyCounts } from './tally.ts';

export interface Aftermath {
  readonly figures: ServerMetrics;
  /** Unacceptable states and events, as sentences. */
  readonly faults: readonly string[];
}

/** Pino's level of an error. */
const ERROR = 50;

/** Unhandled faults in the log and on standard error. */
const unhandled = (server: Server, stderrBefore: number): string[] => [
  ...server
    .log()
    .filter(({ level }) => Number(level) >= ERROR)
    .map((line) => `the log says: ${JSON.stringify(line).slice(0, 500)}`),
  ...server
    .stderr()
    .slice(stderrBefore)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('ahwa: '))
    .map((line) => `standard error says: ${line}`),
];

/** Waits until the server is idle, then inspects it. `stderrBefore`: length of its standard error before the siege. */
export const aftermathOf = async (
  server: Server,
  metricsPort: number,
  seen: readonly TallyCounts[],
  { patienceMs, stderrBefore }: { readonly patienceMs: number; readonly stderrBefore: number },
): Promise<Aftermath> => {
  if (server.hasEnded()) throw new Error(`the server ended: ${server.stderr().slice(-2_000)}`);
  const figures = await metricsWhenIdle(metricsPort, patienceMs);
  const held = GAUGES.filter((name) => figures.gauges[name] !== 0);
  const ready = await httpRequest(server.port, '/ready');
  const statuses = [figures.statuses, ...seen].flatMap(forbidden);
  return {
    figures,
    faults: [
      ...held.map(
        (name) => `${name} is ${figures.gauges[name]} after ${patienceMs / 1_000} s without anybody`,
      ),
      ...(ready.status === 200 ? [] : [`/ready is answered ${ready.status}: ${ready.text}`]),
      ...(statuses.length === 0
        ? []
        : [`answers were ${[...new Set(statuses)].join(', ')}: ${tallyText(figures.statuses)}`]),
      ...unhandled(server, stderrBefore),
    ],
  };
};
