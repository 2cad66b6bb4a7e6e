/** What the doors say in the log. The lines name operations, never addresses: those can hold tokens. */
import { inspect } from 'node:util';

/** As `pino` has it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Runs of digits that may be a phone number (ids and times keep theirs: they are not that long unbroken). */
const PHONE = /\+?\d(?:[\d ()-]{6,}\d)/g;

/** Free text with every possible phone number reduced to its last four digits. */
export const masked = (text: string): string =>
  text.replace(PHONE, (run) => {
    const digits = run.replace(/\D/g, '');
    return digits.length < 9 ? run : `••••${digits.slice(-4)}`;
  });

/** A fault as log fields: what it is and where, phones masked. */
export const faultFields = (fault: unknown): object =>
  fault instanceof Error
    ? {
        fault: fault.name,
        message: masked(fault.message),
        stack: masked(fault.stack ?? ''),
        ...(fault.cause === undefined ? {} : { cause: masked(inspect(fault.cause, { depth: 0 })) }),
      }
    : { fault: masked(inspect(fault, { depth: 0 })) };
