import { codeOf } from '../domain/fault-code.ts';

export const UNIQUE_VIOLATION = '23505';

/** An error of a node may come without its code and fields, with its message alone. */
const WITHOUT_CODE = 'XX000';

const constraintIn = (fault: Error): string =>
  'constraint' in fault && typeof fault.constraint === 'string'
    ? fault.constraint
    : (/^(?:duplicate key value violates unique|new row .* violates check) constraint "(.+)"/.exec(
        fault.message,
      )?.[1] ?? '');

/**
 * Whether the constraint or index `name` refused a row, with this SQLSTATE. The constraint of a sharded table is named
 * after its shard: `idempotency_key_once_102186`.
 */
export const isRefusedBy = (sqlState: string, name: string, fault: unknown): boolean =>
  [sqlState, WITHOUT_CODE].includes(codeOf(fault)) &&
  fault instanceof Error &&
  constraintIn(fault).replace(/_\d+$/, '') === name;

/** Whether the unique constraint or index `name` refused a row. */
export const isDuplicateOf = (name: string, fault: unknown): boolean =>
  isRefusedBy(UNIQUE_VIOLATION, name, fault);
