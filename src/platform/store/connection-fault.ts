/** What an operator can do about a database that cannot be used. */
import pg from 'pg';
import type { Place } from './place.ts';
import { codeOf } from '../domain/fault-code.ts';
import type { DatabaseUnavailable, UnavailableReason } from './unavailable.ts';

/** A place whose setting is named. */
type SettingPlace = Place & { readonly setting: string };
type Sentence = (place: SettingPlace, message: string) => string;

interface Known {
  /** SQLSTATE, or the code of an error of Node. */
  readonly code: RegExp;
  /** Where one code has several causes, or `pg` gives none. */
  readonly message?: RegExp;
  readonly sentence: Sentence;
}

const LOGIN: readonly Known[] = [
  {
    code: /^28P01$/,
    sentence: ({ server, role, setting }) =>
      `${server} refuses the role ${role}: its password is wrong, or there is no such role; correct ${setting}, or create the role.`,
  },
  {
    code: /^$/,
    message: /password must be a string|password must not be empty|client password must be/,
    sentence: ({ server, role, setting }) =>
      `${server} asks for the password of the role ${role}, and ${setting} has none; add it.`,
  },
  {
    code: /^28000$/,
    message: /role ".*" does not exist/,
    sentence: ({ server, role, setting }) =>
      `${server} has no role ${role}; create it, or correct ${setting}.`,
  },
  {
    code: /^28000$/,
    message: /not permitted to log in/,
    sentence: ({ server, role, setting }) =>
      `The role ${role} may not log in to ${server}; alter role ${pg.escapeIdentifier(role)} login, or name another in ${setting}.`,
  },
  {
    code: /^28000$/,
    message: /pg_hba\.conf.*(no encryption|SSL off)/,
    sentence: ({ server, role, database, setting }) =>
      `${server} does not let the role ${role} into the database ${database} from this machine without TLS; add ?sslmode=verify-full to ${setting}, or a line for this machine to pg_hba.conf there.`,
  },
  {
    code: /^28000$/,
    message: /pg_hba\.conf/,
    sentence: ({ server, role, database }) =>
      `${server} does not let the role ${role} into the database ${database} from this machine; add a line for it to pg_hba.conf there.`,
  },
  {
    code: /^28/,
    sentence: ({ server, role, setting }, message) =>
      `${server} refuses the role ${role} (${message}); correct ${setting}, or pg_hba.conf there.`,
  },
  {
    code: /^3D000$/,
    sentence: ({ server, role, database, setting }) =>
      `${server} has no database ${database}; create database ${pg.escapeIdentifier(database)} owner ${pg.escapeIdentifier(role)}, or correct ${setting}.`,
  },
  {
    code: /^42501$/,
    message: /permission denied for database/,
    sentence: ({ server, role, database }) =>
      `The role ${role} may not connect to the database ${database} of ${server}; grant connect on database ${pg.escapeIdentifier(database)} to ${pg.escapeIdentifier(role)}.`,
  },
  {
    code: /^53300$/,
    message: /for role "/,
    sentence: ({ server, role }) =>
      `${server} lets the role ${role} have no more connections, by a limit of its own; alter role ${pg.escapeIdentifier(role)} connection limit -1 (which is none), or end what else is connected with it.`,
  },
  {
    code: /^53300$/,
    message: /for database "/,
    sentence: ({ server, database }) =>
      `${server} lets the database ${database} have no more connections, by a limit of its own; alter database ${pg.escapeIdentifier(database)} connection limit -1 (which is none), or end what else is connected to it.`,
  },
  {
    code: /^53300$/,
    sentence: ({ server }, message) =>
      `${server} has no free connection (${message}); end what else is connected, lower DATABASE_POOL_SIZE, or raise max_connections there.`,
  },
  {
    code: /^57P03$|^55000$/,
    sentence: ({ server }, message) =>
      `${server} takes no connections now (${message}); try again when it does.`,
  },
];

const NETWORK: readonly Known[] = [
  {
    code: /^ECONNREFUSED$/,
    sentence: ({ server, setting }) =>
      `No server listens at ${server}; start PostgreSQL there, or correct host and port in ${setting}.`,
  },
  {
    code: /^(ENOTFOUND|EAI_AGAIN)$/,
    sentence: ({ server, setting }) =>
      `The host name of ${server} cannot be resolved; correct it in ${setting}, or the name service of this machine.`,
  },
  {
    code: /^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/,
    sentence: ({ server, setting }) =>
      `${server} cannot be reached from this machine; correct the host in ${setting}, or the network.`,
  },
  {
    code: /^ETIMEDOUT$/,
    sentence: ({ server, setting }) =>
      `${server} does not answer; correct host and port in ${setting}, or the firewall between here and there.`,
  },
  {
    code: /^$/,
    message: /timeout/i,
    sentence: ({ server, setting }) =>
      `${server} does not answer in time; correct host and port in ${setting}, or the firewall between here and there.`,
  },
  {
    code: /^(ECONNRESET|EPIPE)$/,
    sentence: ({ server, setting }) =>
      `What listens at ${server} closes the connection; see whether PostgreSQL runs there, or correct ${setting}.`,
  },
  {
    code: /^$/,
    message: /Connection terminated/,
    sentence: ({ server, setting }) =>
      `What listens at ${server} closes the connection; see whether PostgreSQL runs there, or correct ${setting}.`,
  },
];

const ADDRESS_AND_TLS: readonly Known[] = [
  {
    code: /^$/,
    message: /does not support SSL/,
    sentence: ({ server, setting }) =>
      `${server} has no TLS, and ${setting} asks for it; set ssl = on there, or take sslmode out of ${setting}.`,
  },
  {
    code: /^$/,
    message: /establishing an SSL connection/,
    sentence: ({ server, setting }) =>
      `What listens at ${server} does not speak TLS as PostgreSQL does; correct ${setting}.`,
  },
  {
    code: /CERT|^ERR_(TLS|SSL|OSSL)|SIGNATURE|HOSTNAME_MISMATCH/,
    sentence: ({ server, setting }, message) =>
      `The TLS certificate of ${server} is not accepted (${message}); name its authority as sslrootcert in ${setting}, or correct the host.`,
  },
  {
    code: /^E(NOENT|ACCES|ISDIR)$/,
    message: /, open /,
    sentence: ({ setting }, message) => `A file that ${setting} names cannot be read (${message}).`,
  },
  {
    code: /^E(NOENT|ACCES)$/,
    sentence: ({ server, setting }, message) =>
      `The socket of PostgreSQL in ${server} cannot be used (${message}); correct the host in ${setting}.`,
  },
  {
    code: /^(ERR_INVALID_URL|ERR_SOCKET_BAD_PORT)?$/,
    message: /^(Invalid URL|URI malformed|Port should)/,
    sentence: ({ setting }) => `${setting} is no address that can be read; correct it.`,
  },
];

const KNOWN = [...LOGIN, ...ADDRESS_AND_TLS, ...NETWORK];

/** Where the connection works, and the statement does not. */
const BY_REASON: Readonly<Record<UnavailableReason, Sentence>> = {
  lost: ({ server, setting }, message) =>
    `The database at ${server} does not answer (${message}); check ${setting}, and that the server there runs and lets this machine in.`,
  silent: ({ server }, message) =>
    `A node of the database at ${server} does not answer (${message}); start it again.`,
  full: ({ server }) => `The disk of the database at ${server} is full; free some space there.`,
  'read only': ({ database, server, setting }) =>
    `The database ${database} of ${server} takes no writes: it is a standby, or set read-only; name the primary in ${setting}.`,
  busy: ({ server }) =>
    `The database at ${server} has no free connection in time; end what else is connected, or raise max_connections there.`,
  slow: ({ server }, message) =>
    `The database at ${server} is too slow (${message}); try again when it has less to do.`,
  contended: ({ server }) => `Other processes change the same rows of the database at ${server}; try again.`,
  unmigrated: ({ role, database }, message) =>
    `The tables of the database ${database} are not those of this build, or the role ${role} may not use them (${message}); run \`ahwa migrate\` with their owner in MIGRATION_DATABASE_URL.`,
};

const EMBEDDED = (message: string): string =>
  `The embedded PostgreSQL cannot be used (${message}); its log is postgres.log in DATA_DIR.`;

/** The first error of a host with several addresses. */
const firstOf = (cause: unknown): unknown => (cause instanceof AggregateError ? cause.errors[0] : cause);

const matches = ({ code, message }: Known, cause: unknown, text: string): boolean =>
  code.test(codeOf(cause)) && (message?.test(text) ?? true);

/** One sentence, without the password. */
export const unavailableSentence = ({ reason, place, cause }: DatabaseUnavailable): string => {
  const first = firstOf(cause);
  const text = first instanceof Error ? first.message : reason;
  if (place === null || place.setting === null) return EMBEDDED(text);
  const known = KNOWN.find((one) => matches(one, first, text));
  return (known?.sentence ?? BY_REASON[reason])({ ...place, setting: place.setting }, text);
};
