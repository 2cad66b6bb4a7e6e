/** What a backup says of itself in its first line, and how that line is written and read. */

/** The message is a whole sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The stream that the backup is read from or written to broke; `cause` is its fault. */
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
  /** Whether `last` was given out already. */
  readonly called: boolean;
}

export interface BackupHead {
  /** Version of the program that made it. */
  readonly program: string;
  /** Version of the PostgreSQL it came from. */
  readonly postgres: string;
  /** When its snapshot was taken, by the service's clock. */
  readonly takenAt: string;
  readonly migrations: readonly MigrationMark[];
  readonly sequences: readonly SequenceState[];
  /** In the order of their rows in the file: who is referred to comes first. */
  readonly tables: readonly TableHead[];
}

/** Raised when the file changes in a way that older builds cannot read. */
const FORMAT = 1;

export const writeHead = ({
  program,
  postgres,
  takenAt,
  migrations,
  sequences,
  tables,
}: BackupHead): string =>
  JSON.stringify({
    ahwa_backup: FORMAT,
    ...{ program, postgres, taken_at: takenAt },
    ...{ migrations, sequences, tables },
  });

/** One object of JSON whose fields must be there, each with its type. */
export interface Fields {
  text(key: string): string;
  whole(key: string): number;
  yes(key: string): boolean;
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
    whole: (key) => {
      const found = value[key];
      if (typeof found !== 'number' || !Number.isSafeInteger(found)) throw wrong(key);
      return found;
    },
    yes: (key) => {
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

/** The JSON object on a line. Throws BackupError. */
export const readFields = (line: string): Fields => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw damaged('a line of it cannot be read');
  }
  return fieldsOf(value);
};

/** Throws BackupError: no backup, damaged, or of a format that is newer than this build. */
export const readHead = (line: string): BackupHead => {
  if (!line.startsWith('{"ahwa_backup":')) throw new BackupError('This is not a backup that Ahwa made.');
  const head = readFields(line);
  if (head.whole('ahwa_backup') !== FORMAT)
    throw new BackupError(
      'The backup is in a format that this build does not know; restore with a newer one.',
    );
  return {
    program: head.text('program'),
    postgres: head.text('postgres'),
    takenAt: head.text('taken_at'),
    migrations: head.list('migrations', (entry) => ({
      id: entry.whole('id'),
      name: entry.text('name'),
      checksum: entry.text('checksum'),
    })),
    sequences: head.list('sequences', (entry) => ({
      name: entry.text('name'),
      last: entry.text('last'),
      called: entry.yes('called'),
    })),
    tables: head.list('tables', (entry) => ({
      name: entry.text('name'),
      columns: entry.list('columns', (column) => ({ name: column.text('name'), type: column.text('type') })),
    })),
  };
};
