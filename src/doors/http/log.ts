/**
 * What the doors say in the log. The lines name operations, never addresses: those can hold tokens. Phone numbers are
 * struck out of every line by the log itself.
 */
import { inspect } from 'node:util';

/** As `pino` has it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Name, code (a SQLSTATE, an errno name) and message. A database's own detail of a fault could quote a guest's row. */
const outline = (fault: unknown): object =>
  fault instanceof Error
    ? {
        fault: fault.name,
        ...('code' in fault && typeof fault.code === 'string' ? { code: fault.code } : {}),
        message: fault.message,
      }
    : { fault: inspect(fault, { depth: 0 }) };

/** A fault as log fields: what it is, where, and what caused it. */
export const faultFields = (fault: unknown): object =>
  fault instanceof Error
    ? {
        ...outline(fault),
        stack: fault.stack ?? '',
        ...(fault.cause === undefined ? {} : { cause: outline(fault.cause) }),
      }
    : outline(fault);

/** Says what no client can mend: what failed always, what is away once a second at most. */
export type TellFault = (kind: 'failed' | 'unavailable', fields: object) => void;

/** Lines about what is away: one in so many ms. */
const QUIET_MS = 1000;

export const createTellFault = (log: Log, monotonic: () => number): TellFault => {
  let saidAwayAt = Number.NEGATIVE_INFINITY;
  return (kind, fields) => {
    if (kind === 'failed') log.error(fields, 'unexpected fault');
    else if (monotonic() - saidAwayAt > QUIET_MS) {
      saidAwayAt = monotonic();
      log.warn(fields, 'unavailable');
    }
  };
};
