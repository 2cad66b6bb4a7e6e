/** The request itself is not at fault. */
import { codeOf } from '../domain/fault-code.ts';
import type { Place } from './place.ts';

export type UnavailableReason =
  /** No connection, or it broke. */
  | 'lost'
  /** The database answers, and one of its nodes does not. */
  | 'silent'
  /** Disk full. */
  | 'full'
  /** Standby, or set read-only. */
  | 'read only'
  /** No free connection, and the queue is full or too slow. */
  | 'busy'
  /** Statement timeout. */
  | 'slow'
  /** After all retries. */
  | 'contended'
  /** A table, column or right is missing: migrations are pending. */
  | 'unmigrated';

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly reason: UnavailableReason;
  /** Null where no connection is concerned. */
  readonly place: Place | null;

  constructor(
    reason: UnavailableReason,
    options: { readonly cause?: unknown; readonly place?: Place | undefined } = {},
  ) {
    super(`The database is not available (${reason}).`, 'cause' in options ? { cause: options.cause } : {});
    this.reason = reason;
    this.place = options.place ?? null;
  }
}

/** By prefix of SQLSTATE or errno name. */
const BY_CODE: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^57014$|^55P03$|^25P0[34]$/, 'slow'],
  [/^53300$|^53400$/, 'busy'],
  [/^40001$|^40P01$/, 'contended'],
  [/^53100$/, 'full'],
  [/^25006$/, 'read only'],
  // Connection faults, shutdown, no resources, failed login, system errors. Not XX: the database answers, and refuses the
  // statement, such as one that a sharded database cannot plan.
  [/^08|^57P|^53|^28|^3D000$|^58/, 'lost'],
  [/^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN|NOENT|ACCES|MFILE|NFILE|ADDR)/, 'lost'],
];

/** An internal error, as which a sharded database also reports a node that it has lost. */
const INTERNAL = 'XX000';

/** Without a code of their own. */
const BY_MESSAGE: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^timeout exceeded when trying to connect/, 'busy'],
  [/^Query read timeout/, 'slow'],
  // What a sharded database passes on of a node that dies during a statement.
  [
    /^terminating connection due to|^server closed the connection|^no connection to the server|^could not (receive data from|send data to) server|^SSL SYSCALL error/,
    'lost',
  ],
  [
    /^failure on connection marked as essential|^Connection terminated|connection error and is not queryable|^Client was closed|after calling end on the pool/,
    'lost',
  ],
];

/** Null when `fault` is an error of the statement itself. */
export const reasonOf = (fault: unknown): UnavailableReason | null => {
  if (fault instanceof AggregateError) return reasonOf(fault.errors[0]);
  if (!(fault instanceof Error)) return null;
  const code = codeOf(fault);
  const found =
    code === '' || code === INTERNAL
      ? BY_MESSAGE.find(([pattern]) => pattern.test(fault.message))
      : BY_CODE.find(([pattern]) => pattern.test(code));
  return found?.[1] ?? null;
};

/** Whether the server, or a node of it, does not answer. */
export const isSilence = (fault: unknown): fault is DatabaseUnavailable =>
  fault instanceof DatabaseUnavailable && ['lost', 'silent', 'slow'].includes(fault.reason);

export const isSlow = (fault: unknown): boolean =>
  fault instanceof DatabaseUnavailable && fault.reason === 'slow';

/** Whether the node of a shop does not answer, while those of others may. */
export const isOfSilentNode = (fault: unknown): boolean =>
  fault instanceof DatabaseUnavailable && fault.reason === 'silent';

/** For work on all shops that the next start does: `otherwise` while a node is silent. */
export const whereAllAnswer = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (fault) {
    if (isOfSilentNode(fault)) return otherwise;
    throw fault;
  }
};

/** Whether the server itself reports that a node of it is lost. 08P01: a pooler refuses. */
export const isOfNode = (fault: unknown): fault is DatabaseUnavailable =>
  fault instanceof DatabaseUnavailable &&
  fault.reason === 'lost' &&
  /^08(?!P01)|^XX000$/.test(codeOf(fault.cause));

export const asUnavailable = (fault: unknown, place?: Place): unknown => {
  const reason = fault instanceof DatabaseUnavailable ? null : reasonOf(fault);
  return reason === null ? fault : new DatabaseUnavailable(reason, { cause: fault, place });
};

/** Any failure to connect, such as a database closed for maintenance, is no error of the request. */
export const notConnected = (fault: unknown, place: Place): DatabaseUnavailable =>
  new DatabaseUnavailable(reasonOf(fault) ?? 'lost', { cause: fault, place });
