import { codeOf } from '../domain/fault-code.ts';

export const UNIQUE_VIOLATION = '23505';

/**
 * Whether the constraint or index `name` refused a row, with this SQLSTATE. The constraint of a sharded table is named
 * after its shard: `idempotency_key_once_102186`.
 */
export const isRefusedBy = (sqlState: string, name: string, fault: unknown): boolean =>
  codeOf(fault) === sqlState &&
  fault instanceof Error &&
  'constraint' in fault &&
  typeof fault.constraint === 'string' &&
  fault.constraint.replace(/_\d+$/, '') === name;

/** Whether the unique constraint or index `name` refused a row. */
export const isDuplicateOf = (name: string, fault: unknown): boolean =>
  isRefusedBy(UNIQUE_VIOLATION, name, fault);
