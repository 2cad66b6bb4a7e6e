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
