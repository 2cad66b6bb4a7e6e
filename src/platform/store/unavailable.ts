/** The one answer to a database that is away, too slow or too busy: nothing is known to be wrong with the request. */

export type UnavailableReason =
  /** No connection could be had, or it broke. */
  | 'lost'
  /** Its disk is full. */
  | 'full'
  /** It takes no writes: a standby, or set so. */
  | 'read only'
  /** Every connection is busy, and the line for one is full or too slow. */
  | 'busy'
  /** The database took longer than a statement may. */
  | 'slow'
  /** Transactions kept colliding although they were tried again. */
  | 'contended'
  /** It lacks a table or column that this build needs: migrations are still to come. */
  | 'unmigrated';

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, options?: { readonly cause?: unknown }) {
    super(`The database is not available (${reason}).`, options);
    this.reason = reason;
  }
}

export const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';

/** SQLSTATEs and errno names, by how they begin. */
const BY_CODE: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^57014$|^55P03$|^25P0[34]$/, 'slow'],
  [/^53300$|^53400$/, 'busy'],
  [/^40001$|^40P01$/, 'contended'],
  [/^53100$/, 'full'],
  [/^25006$/, 'read only'],
  // Connection faults, shutdown, no resources, sign-in refused, system faults.
  [/^08|^57P|^53|^28|^3D000$|^58|^XX/, 'lost'],
  [/^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN|NOENT|ACCES|MFILE|NFILE|ADDR)/, 'lost'],
];

/** `pg` gives these no code. */
const BY_MESSAGE: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^timeout exceeded when trying to connect/, 'busy'],
  [/^Query read timeout/, 'slow'],
  [
    /^Connection terminated|connection error and is not queryable|^Client was closed|after calling end on the pool/,
    'lost',
  ],
];

/** The reason when `fault` means that the database is not available, else null: a fault of the statement itself. */
export const reasonOf = (fault: unknown): UnavailableReason | null => {
  if (fault instanceof AggregateError) return reasonOf(fault.errors[0]);
  if (!(fault instanceof Error)) return null;
  const code = codeOf(fault);
  const found =
    code === ''
      ? BY_MESSAGE.find(([pattern]) => pattern.test(fault.message))
      : BY_CODE.find(([pattern]) => pattern.test(code));
  return found?.[1] ?? null;
};

/** `fault` as DatabaseUnavailable where it is that, else as it is. */
export const translated = (fault: unknown): unknown => {
  const reason = fault instanceof DatabaseUnavailable ? null : reasonOf(fault);
  return reason === null ? fault : new DatabaseUnavailable(reason, { cause: fault });
};
