import { codeOf } from '../domain/fault-code.ts';

/** The second one: an error of a node may come without its code and fields, with its message alone. */
const UNIQUE_VIOLATION = ['23505', 'XX000'];

const constraintIn = (fault: Error): string =>
  'constraint' in fault && typeof fault.constraint === 'string'
    ? fault.constraint
    : (/^duplicate key value violates unique constraint "(.+)"/.exec(fault.message)?.[1] ?? '');

/**
 * Whether the unique constraint or index `name` refused a row. The constraint of a sharded table is named after its
 * shard: `idempotency_key_once_102186`.
 */
export const isDuplicateOf = (name: string, fault: unknown): boolean =>
  UNIQUE_VIOLATION.includes(codeOf(fault)) &&
  fault instanceof Error &&
  constraintIn(fault).replace(/_\d+$/, '') === name;
