/** A siege: every attack at once beside the business of guests and staff, and what became of the server. */
import { ask } from '../../support/doors.ts';
import type { Server } from '../../support/program.ts';
import { figuresWhenIdle, GAUGES, type Figures } from './figures.ts';
import { forbidden, tallyText, type Tallied } from './tally.ts';

/** What is left of a server once everybody has gone. */
export interface Aftermath {
  readonly figures: Figures;
  /** What no siege may leave or cause, a sentence each. */
  readonly faults: readonly string[];
}

/** Pino's number of an error. */
const ERROR = 50;

/** What an unhandled fault says, in the log or on standard error. */
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

/** Waits until the server is idle, and looks at it. `stderrBefore`: characters of its standard error from before. */
export const aftermathOf = async (
  server: Server,
  metricsPort: number,
  seen: readonly Tallied[],
  { patienceMs, stderrBefore }: { readonly patienceMs: number; readonly stderrBefore: number },
): Promise<Aftermath> => {
  if (server.hasEnded()) throw new Error(`the server ended: ${server.stderr().slice(-2_000)}`);
  const figures = await figuresWhenIdle(metricsPort, patienceMs);
  const held = GAUGES.filter((name) => figures.gauges[name] !== 0);
  const ready = await ask(server.port, '/ready');
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
