/** Security events recorded in memory, before the log redacts them. */
import { createSecurityEvents } from '../../../src/adapters/security-events.ts';
import type { SecurityEventKind, SecurityFacts } from '../../../src/platform/domain/security-event.ts';
import type { SecurityEvents } from '../../../src/ports.ts';

export interface WatchedEvents extends SecurityEvents {
  readonly lines: readonly string[];
  /** The facts of each event of a kind, in order. */
  of(kind: SecurityEventKind): SecurityFacts[];
}

/** Fields of every line besides the facts. */
const FRAME = ['security', 'level', 'message'];

const factsOf = (line: Record<string, unknown>): SecurityFacts =>
  Object.fromEntries(Object.entries(line).filter(([field]) => !FRAME.includes(field))) as SecurityFacts;

/** The facts of each event of a kind in log lines. */
export const eventsIn = (lines: readonly string[], kind: SecurityEventKind): SecurityFacts[] =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ security }) => security === kind)
    .map(factsOf);

export const watchEvents = (): WatchedEvents => {
  const lines: string[] = [];
  const events = createSecurityEvents({
    warn: (fields, message) => lines.push(JSON.stringify({ ...fields, message })),
  });
  return { ...events, lines, of: (kind) => eventsIn(lines, kind) };
};
