/** Log lines name operations, never addresses, which can contain tokens. The logger masks phone numbers. */
import { inspect } from 'node:util';

/** The part of `pino` that is used. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Name, code (SQLSTATE or errno) and message. A database's `detail` is left out: it could quote a guest's row. */
const outline = (fault: unknown): object =>
  fault instanceof Error
    ? {
        fault: fault.name,
        ...('code' in fault && typeof fault.code === 'string' ? { code: fault.code } : {}),
        message: fault.message,
      }
    : { fault: inspect(fault, { depth: 0 }) };

export const faultFields = (fault: unknown): object =>
  fault instanceof Error
    ? {
        ...outline(fault),
        stack: fault.stack ?? '',
        ...(fault.cause === undefined ? {} : { cause: outline(fault.cause) }),
      }
    : outline(fault);

/** Logs every unexpected fault, but one line a second about an unavailable service. */
export type LogFault = (kind: 'failed' | 'unavailable', fields: object) => void;

const QUIET_MS = 1000;

export const createLogFault = (log: Log, monotonic: () => number): LogFault => {
  let saidAwayAt = Number.NEGATIVE_INFINITY;
  return (kind, fields) => {
    if (kind === 'failed') log.error(fields, 'unexpected fault');
    else if (monotonic() - saidAwayAt > QUIET_MS) {
      saidAwayAt = monotonic();
      log.warn(fields, 'unavailable');
    }
  };
};
