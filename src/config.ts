/**
 * Every setting of the program, and the only reader of the environment. `docs/config.md` is written from this
 * table. An empty variable counts as one that is not set.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BOOLEAN_WORDS,
  baseUrl,
  boolean,
  databaseUrl,
  decimal,
  hostName,
  list,
  moment,
  oneOf,
  plans,
  proxies,
  shortText,
  wholeNumber,
} from './config/values.ts';
import type { Plan } from './domain/plan.ts';
import type { Instant } from './domain/time.ts';

export interface Config {
  readonly production: boolean;
  /** 0 = any free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Null = the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly migrateOnStart: boolean;
  /** Whether demo shops are loaded into an empty database. */
  readonly demo: boolean;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly clockStart: Instant | null;
  /** The first signs, all verify. Null = the key kept in the data folder. */
  readonly secretKeys: readonly string[] | null;
  readonly service: { readonly name: string; readonly contact: string; readonly plans: readonly Plan[] };
  readonly logLevel: LogLevel;
  /** Null = off. `chosen` tells a port named by the operator from the default, which may give way. */
  readonly metrics: { readonly port: number; readonly host: string; readonly chosen: boolean } | null;
  /** Multiplies every request limit; 0 = no limits. */
  readonly rateLimitScale: number;
  /** Addresses and CIDR blocks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every fault of the environment, one sentence a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

interface Setting<T> {
  /** Undefined = not allowed. */
  readonly parse: (text: string) => T | undefined;
  readonly standard: T;
  /** The default in words, for the docs. */
  readonly standardText: string;
  /** Completes "it must be …". */
  readonly allowed: string;
  readonly doc: string;
  /** A secret's value is shown nowhere. */
  readonly secret?: true;
}

const setting = <T>(of: Setting<T>): Setting<T> => of;

const STANDARD_PLANS_TEXT = 'Menu=0, Orders=600, Everything=1200';
const STANDARD_PLANS = plans(STANDARD_PLANS_TEXT) ?? [];

const SETTINGS = {
  PORT: setting({
    parse: wholeNumber(0, 65_535),
    standard: 8080,
    standardText: '8080',
    allowed: 'a whole number from 0 to 65535 (0 = any free port)',
    doc: 'Port of the API and of its documents.',
  }),
  HOST: setting({
    parse: hostName,
    standard: '0.0.0.0',
    standardText: '0.0.0.0 (every IPv4 address of the machine)',
    allowed: 'an IP address or a host name',
    doc: 'Address to listen on: 127.0.0.1 for this machine alone, :: for IPv6 and IPv4.',
  }),
  BASE_URL: setting<string | null>({
    parse: baseUrl,
    standard: null,
    standardText: 'http://localhost:PORT',
    allowed: 'an http:// or https:// address without a query',
    doc: 'Public address, used in every absolute link. While it is one of this machine, `/mcp` answers under names of this machine alone.',
  }),
  DATA_DIR: setting({
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    standard: fileURLToPath(new URL('../data', import.meta.url)),
    standardText: './data (of the checkout)',
    allowed: 'the path of a folder',
    doc: 'Folder of the embedded database, the secret key and what running processes share. Made when missing.',
  }),
  DATABASE_URL: setting<string | null>({
    parse: databaseUrl,
    standard: null,
    standardText: 'none: PostgreSQL runs embedded, in DATA_DIR',
    allowed: 'an address that begins with postgres:// or postgresql://',
    doc: 'Any PostgreSQL 15 or newer to use instead of the embedded one.',
    secret: true,
  }),
  DATABASE_POOL_SIZE: setting({
    parse: wholeNumber(1, 500),
    standard: 10,
    standardText: '10',
    allowed: 'a whole number from 1 to 500',
    doc: "Connections one process holds at most. Processes × this must stay 10 below the database's max_connections.",
  }),
  MIGRATE_ON_START: setting({
    parse: boolean,
    standard: true,
    standardText: 'true',
    allowed: BOOLEAN_WORDS,
    doc: 'Whether the start brings the tables up to date; otherwise run `ahwa migrate` first.',
  }),
  DEMO: setting<boolean | null>({
    parse: boolean,
    standard: null,
    standardText: 'true, in production false',
    allowed: BOOLEAN_WORDS,
    doc: 'Whether the start loads the demo shops into an empty database. Not allowed in production.',
  }),
  CLOCK_START: setting<Instant | null>({
    parse: moment,
    standard: null,
    standardText: 'none: the real time',
    allowed: 'a moment with its zone, such as 2026-04-24T18:00:00Z',
    doc: 'The clock starts here and runs on, for trying out and testing. Not allowed in production.',
  }),
  SECRET_KEY: setting<readonly string[] | null>({
    parse: list,
    standard: null,
    standardText: 'a key made once and kept in DATA_DIR (mode 0600)',
    allowed: 'one or more keys with commas between them',
    doc: 'Keys for the tokens: the first signs, all verify. Required with DATABASE_URL in production, each of at least 32 characters there.',
    secret: true,
  }),
  SERVICE_NAME: setting({
    parse: shortText,
    standard: 'Ahwa',
    standardText: 'Ahwa',
    allowed: 'a text of 1 to 80 characters on one line',
    doc: 'What the service calls itself.',
  }),
  SERVICE_CONTACT: setting({
    parse: shortText,
    standard: 'hello@ahwa.example',
    standardText: 'hello@ahwa.example',
    allowed: 'a text of 1 to 80 characters on one line',
    doc: 'Where a person who asks about the service is sent: an e-mail address or a web address.',
  }),
  SERVICE_PLANS: setting<readonly Plan[]>({
    parse: plans,
    standard: STANDARD_PLANS,
    standardText: STANDARD_PLANS_TEXT,
    allowed:
      'plans such as Menu=0, Orders=450.50: a name and pounds a month per branch, with commas between them; none where prices are to be asked for',
    doc: 'What a shop pays a month for each branch, by plan; told by the tool about_ahwa.',
  }),
  LOG_LEVEL: setting<LogLevel>({
    parse: oneOf(LOG_LEVELS),
    standard: 'info',
    standardText: 'info',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    doc: 'The least that is logged, as JSON lines on standard output.',
  }),
  METRICS_PORT: setting<number | 'standard'>({
    parse: (text) => (text === 'off' ? 0 : wholeNumber(0, 65_535)(text)),
    standard: 'standard',
    standardText: '9464',
    allowed: 'a whole number from 1 to 65535, or 0 or off',
    doc: 'Port of the Prometheus metrics; 0 or off = none.',
  }),
  METRICS_HOST: setting({
    parse: hostName,
    standard: '127.0.0.1',
    standardText: '127.0.0.1',
    allowed: 'an IP address or a host name',
    doc: 'Address the metrics listen on.',
  }),
  RATE_LIMIT_SCALE: setting({
    parse: decimal,
    standard: 1,
    standardText: '1',
    allowed: 'a decimal number that is not negative',
    doc: 'Multiplies every request limit per client address; 0 = no limits.',
  }),
  TRUST_PROXY: setting<readonly string[]>({
    parse: proxies,
    standard: [],
    standardText: 'none',
    allowed: 'IP addresses or CIDR blocks with commas between them',
    doc: "Proxies whose X-Forwarded-For is believed, such as 127.0.0.1,10.0.0.0/8. From others the connection's own address counts.",
  }),
  NODE_ENV: setting({
    parse: oneOf(['production', 'development', 'test']),
    standard: 'development',
    standardText: 'development',
    allowed: 'production, development or test',
    doc: 'production refuses CLOCK_START, DEMO and whatever else is for trying out.',
  }),
};

type Settings = typeof SETTINGS;
type Key = keyof Settings;
type Values = { readonly [K in Key]: Settings[K]['standard'] };

const standardBaseUrl = (port: number): string => `http://localhost:${port}`;

const DEFAULT_METRICS_PORT = 9464;
const SHORTEST_PRODUCTION_KEY = 32;

/** Values that are right alone but not together. */
const TOGETHER: readonly { readonly wrong: (values: Values) => boolean; readonly sentence: string }[] = [
  {
    wrong: (values) => values.NODE_ENV === 'production' && values.CLOCK_START !== null,
    sentence:
      'CLOCK_START is set, and NODE_ENV is production, where the clock must be real; remove one of them.',
  },
  {
    wrong: (values) => values.NODE_ENV === 'production' && values.DEMO === true,
    sentence:
      'DEMO is true, and NODE_ENV is production, where the demo shops are never loaded; remove one of them.',
  },
  {
    wrong: (values) =>
      values.NODE_ENV === 'production' && values.DATABASE_URL !== null && values.SECRET_KEY === null,
    sentence:
      'SECRET_KEY is missing; with DATABASE_URL in production it must be one or more keys with commas between them, the same for every process.',
  },
  {
    wrong: (values) =>
      values.NODE_ENV === 'production' &&
      (values.SECRET_KEY ?? []).some((key) => key.length < SHORTEST_PRODUCTION_KEY),
    sentence: `SECRET_KEY is too short; in production each key must have at least ${SHORTEST_PRODUCTION_KEY} characters.`,
  },
];

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** The value of one key; adds to `faults` and gives the standard value when the text is not allowed. */
const valueOf = <T>(
  key: string,
  { parse, standard, allowed, secret }: Setting<T>,
  env: Env,
  faults: string[],
): T => {
  const text = env[key]?.trim() ?? '';
  if (text === '') return standard;
  const value = parse(text);
  if (value !== undefined) return value;
  faults.push(
    `${key} ${secret === true ? 'has a wrong value' : `is ${shown(text)}`}; it must be ${allowed}.`,
  );
  return standard;
};

const readAll = (env: Env, faults: string[]): Values => {
  const read = <K extends Key>(key: K): Values[K] =>
    valueOf<Values[K]>(key, SETTINGS[key] as Setting<Values[K]>, env, faults);
  return {
    PORT: read('PORT'),
    HOST: read('HOST'),
    BASE_URL: read('BASE_URL'),
    DATA_DIR: read('DATA_DIR'),
    DATABASE_URL: read('DATABASE_URL'),
    DATABASE_POOL_SIZE: read('DATABASE_POOL_SIZE'),
    MIGRATE_ON_START: read('MIGRATE_ON_START'),
    DEMO: read('DEMO'),
    CLOCK_START: read('CLOCK_START'),
    SECRET_KEY: read('SECRET_KEY'),
    SERVICE_NAME: read('SERVICE_NAME'),
    SERVICE_CONTACT: read('SERVICE_CONTACT'),
    SERVICE_PLANS: read('SERVICE_PLANS'),
    LOG_LEVEL: read('LOG_LEVEL'),
    METRICS_PORT: read('METRICS_PORT'),
    METRICS_HOST: read('METRICS_HOST'),
    RATE_LIMIT_SCALE: read('RATE_LIMIT_SCALE'),
    TRUST_PROXY: read('TRUST_PROXY'),
    NODE_ENV: read('NODE_ENV'),
  };
};

const metricsOf = (values: Values): Config['metrics'] => {
  const chosen = values.METRICS_PORT !== 'standard';
  const port = values.METRICS_PORT === 'standard' ? DEFAULT_METRICS_PORT : values.METRICS_PORT;
  return port === 0 ? null : { port, host: values.METRICS_HOST, chosen };
};

/** Reads the settings from `env`. Throws ConfigError with every fault at once. */
export const loadConfig = (env: Env = process.env): Config => {
  const faults: string[] = [];
  const values = readAll(env, faults);
  faults.push(...TOGETHER.filter(({ wrong }) => wrong(values)).map(({ sentence }) => sentence));
  if (faults.length > 0) throw new ConfigError(faults);
  const production = values.NODE_ENV === 'production';
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    migrateOnStart: values.MIGRATE_ON_START,
    demo: values.DEMO ?? !production,
    baseUrl: values.BASE_URL ?? standardBaseUrl(values.PORT),
    clockStart: values.CLOCK_START,
    secretKeys: values.SECRET_KEY,
    service: { name: values.SERVICE_NAME, contact: values.SERVICE_CONTACT, plans: values.SERVICE_PLANS },
    logLevel: values.LOG_LEVEL,
    metrics: metricsOf(values),
    rateLimitScale: values.RATE_LIMIT_SCALE,
    trustProxy: values.TRUST_PROXY,
  };
};

/** The settings once `PORT` 0 has become a real port, which the default `BASE_URL` names. */
export const onPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  baseUrl: config.baseUrl === standardBaseUrl(config.port) ? standardBaseUrl(port) : config.baseUrl,
});

export interface ConfigReferenceEntry {
  readonly key: string;
  readonly standard: string;
  readonly allowed: string;
  readonly doc: string;
  readonly secret: boolean;
}

/** One entry per setting, in reading order, for the docs and the CLI's help. */
export const configReference: readonly ConfigReferenceEntry[] = Object.entries<Setting<unknown>>(
  SETTINGS,
).map(([key, { standardText, allowed, doc, secret }]) => ({
  key,
  standard: standardText,
  allowed,
  doc,
  secret: secret === true,
}));
