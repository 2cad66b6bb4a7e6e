/** Faults that an operator can correct, as sentences on standard error. */
import { EmbeddedPostgresError } from '../adapters/embedded-postgres.ts';
import { ConfigError } from '../config.ts';
import { Refusal } from '../kernel/refusal.ts';
import { DatabaseUnavailable } from '../platform/store/db.ts';
import { unavailableSentence } from '../platform/store/connection-fault.ts';
import { MigrationError } from '../platform/store/migrate.ts';
import type { PrintStatus } from '../wiring.ts';

/** Standard output is for results. */
export const printStatus: PrintStatus = (line) => process.stderr.write(`ahwa: ${line}\n`);

/** The message is a sentence for the operator. */
export class StartError extends Error {}

/** Null unless an operator can correct the error. */
const sentenceOf = (fault: unknown): string | null => {
  if (
    fault instanceof StartError ||
    fault instanceof ConfigError ||
    fault instanceof EmbeddedPostgresError ||
    fault instanceof MigrationError
  )
    return fault.message;
  if (fault instanceof Refusal && fault.refusal === 'SHOP_MOVING')
    return 'The shop is closed, and takes no change: `ahwa shop open` opens it.';
  return fault instanceof DatabaseUnavailable ? unavailableSentence(fault) : null;
};

export const printFault = (fault: unknown): void => {
  const sentences = sentenceOf(fault)?.split('\n');
  for (const line of sentences ?? [fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)])
    printStatus(line);
};
