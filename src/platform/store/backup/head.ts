import { parseUuid, type Uuid } from '../../../kernel/ids.ts';

/** The message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The stream of the backup broke; `cause` is its error. */
export class BackupStreamError extends Error {
  override readonly name = 'BackupStreamError';
}

export const damaged = (what: string): BackupError => new BackupError(`The backup is damaged: ${what}.`);

export interface Column {
  readonly name: string;
  /** As PostgreSQL writes it: `numeric(7,6)`, `timestamp with time zone`. */
  readonly type: string;
}

export interface TableHead {
  readonly name: string;
  readonly columns: readonly Column[];
}

export interface MigrationMark {
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the file's text. */
  readonly checksum: string;
}

export interface SequenceState {
  readonly name: string;
  /** A bigint as text. */
  readonly last: string;
  readonly called: boolean;
}

/** The shop of a backup that has one shop alone. */
export interface ShopMark {
  readonly orgId: Uuid;
  /** At the time of the backup. */
  readonly slug: string;
}

export interface BackupHead {
  /** Null: the whole database. */
  readonly shop: ShopMark | null;
  readonly program: string;
  readonly postgres: string;
  /** By the service's clock. */
  readonly takenAt: string;
  readonly migrations: readonly MigrationMark[];
  readonly sequences: readonly SequenceState[];
  /** Referenced tables first, as in the file. */
  readonly tables: readonly TableHead[];
}

/** To be raised when older builds cannot read the file. */
const FORMAT = 1;
/** Of one shop: builds that know no such backups refuse it, rather than restore it as a whole database. */
const SHOP_FORMAT = 2;

export const writeHead = ({
  shop,
  program,
  postgres,
  takenAt,
  migrations,
  sequences,
  tables,
}: BackupHead): string =>
  JSON.stringify({
    ...(shop === null
      ? { ahwa_backup: FORMAT }
      : { ahwa_backup: SHOP_FORMAT, org_id: shop.orgId, slug: shop.slug }),
    ...{ program, postgres, taken_at: takenAt },
    ...{ migrations, sequences, tables },
  });

export interface Fields {
  text(key: string): string;
  integer(key: string): number;
  boolean(key: string): boolean;
  list<T>(key: string, each: (entry: Fields) => T): T[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => {
  if (!isObject(value)) throw damaged('a line of it is not what it should be');
  const wrong = (key: string): BackupError => damaged(`${JSON.stringify(key)} is missing or wrong`);
  return {
    text: (key) => {
      const found = value[key];
      if (typeof found !== 'string') throw wrong(key);
      return found;
    },
    integer: (key) => {
      const found = value[key];
      if (typeof found !== 'number' || !Number.isSafeInteger(found)) throw wrong(key);
      return found;
    },
    boolean: (key) => {
      const found = value[key];
      if (typeof found !== 'boolean') throw wrong(key);
      return found;
    },
    list: (key, each) => {
      const found = value[key];
      if (!Array.isArray(found)) throw wrong(key);
      return found.map((entry) => each(fieldsOf(entry)));
    },
  };
};

/** Throws BackupError when the line is no JSON object. */
export const readFields = (line: string): Fields => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw damaged('a line of it cannot be read');
  }
  return fieldsOf(value);
};

const readShop = (head: Fields): ShopMark => {
  const orgId = parseUuid(head.text('org_id'));
  if (orgId === null) throw damaged('the id of its shop is none');
  return { orgId, slug: head.text('slug') };
};

/** Throws BackupError: no backup, damaged, or a newer format. */
export const readHead = (line: string): BackupHead => {
  if (!line.startsWith('{"ahwa_backup":')) throw new BackupError('This is not a backup that Ahwa made.');
  const head = readFields(line);
  const format = head.integer('ahwa_backup');
  if (format !== FORMAT && format !== SHOP_FORMAT)
    throw new BackupError(
      'The backup is in a format that this build does not know; restore with a newer one.',
    );
  return {
    shop: format === SHOP_FORMAT ? readShop(head) : null,
    program: head.text('program'),
    postgres: head.text('postgres'),
    takenAt: head.text('taken_at'),
    migrations: head.list('migrations', (entry) => ({
      id: entry.integer('id'),
      name: entry.text('name'),
      checksum: entry.text('checksum'),
    })),
    sequences: head.list('sequences', (entry) => ({
      name: entry.text('name'),
      last: entry.text('last'),
      called: entry.boolean('called'),
    })),
    tables: head.list('tables', (entry) => ({
      name: entry.text('name'),
      columns: entry.list('columns', (column) => ({ name: column.text('name'), type: column.text('type') })),
    })),
  };
};
