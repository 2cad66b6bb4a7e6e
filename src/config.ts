/** The only module that reads the environment. An empty variable counts as unset. */
import { fileURLToPath } from 'node:url';
import type { Setting } from './config/setting.ts';
import type { SmsSettings } from './config/sms-settings.ts';
import { connectionsOf, EMBEDDED_CONNECTIONS, workersOf } from './config/workers.ts';
import { SETTINGS, type LogLevel, type OtpSender, type WhatsAppSettings } from './config/settings.ts';
import type { CodeSender } from './messaging/domain/code-text.ts';
import { fitsContentType } from './messaging/domain/sms-template.ts';
import { scaledBudgets, type BudgetLimits } from './messaging/domain/budget.ts';
import type { WebhookAllow } from './messaging/domain/webhook-allow.ts';
import type { Plan } from './shops/domain/plan.ts';
import type { Instant } from './kernel/time.ts';

export interface Config {
  readonly production: boolean;
  /** 0 means any free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** As the owner of the tables. Null: same as `databaseUrl`, or the embedded PostgreSQL's owner. */
  readonly migrationDatabaseUrl: string | null;
  readonly databasePoolSize: number;
  /** Processes that answer requests, under a launcher. Null: the server is one process. */
  readonly workers: number | null;
  readonly migrateOnStart: boolean;
  readonly demo: boolean;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly clockStart: Instant | null;
  /** The first signs, all verify. Null: the key in the data folder. */
  readonly secretKeys: readonly string[] | null;
  readonly service: { readonly name: string; readonly contact: string; readonly plans: readonly Plan[] };
  /** Null: none are published. */
  readonly securityContacts: readonly string[] | null;
  readonly logLevel: LogLevel;
  /** Null: off. `chosen` is false for the default port, which may be skipped when taken. */
  readonly metrics: { readonly port: number; readonly host: string; readonly chosen: boolean } | null;
  /** Multiplies every request limit; 0 means no limits. */
  readonly rateLimitScale: number;
  readonly trustProxy: readonly string[];
  readonly consoleOrigins: readonly string[];
  /** Null: as stored in the database, which is on, but off on a restored copy. */
  readonly sending: boolean | null;
  /** Hosts inside that webhooks may reach. */
  readonly webhookAllow: WebhookAllow;
  readonly phoneCountries: readonly string[];
  /** Scaled by `rateLimitScale`; null: unlimited. */
  readonly messageBudgets: BudgetLimits | null;
  /** In production never `console` nor `file`; those become `none`. */
  readonly sender:
    | { readonly kind: 'console' | 'none' }
    | { readonly kind: 'file'; readonly path: string }
    | ({
        readonly kind: 'whatsapp';
        /** In the order in which they are tried. */
        readonly codes: readonly CodeSender[];
        /** Null: not among `codes`. */
        readonly sms: SmsSettings | null;
      } & WhatsAppSettings);
  /** Null when not configured. */
  readonly whatsAppReports: { readonly appSecret: string; readonly verifyToken: string } | null;
  readonly osrmUrl: string | null;
  /** Null: none of its settings is set. Paths of files, which are read where they are used. */
  readonly walletOne: {
    readonly certificate: string | null;
    readonly key: string | null;
    readonly passphrase: string | null;
    readonly intermediate: string | null;
    readonly passType: string | null;
    readonly team: string | null;
    readonly push: string;
  } | null;
  /** Null: none of its settings is set. */
  readonly walletTwo: {
    readonly issuer: string | null;
    readonly serviceAccount: string | null;
    readonly api: string;
  } | null;
  readonly imports: { readonly maxBytes: number; readonly maxItems: number };
}

/** One sentence per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

type Settings = typeof SETTINGS;
type Key = keyof Settings;
type Values = { readonly [K in Key]: Settings[K]['defaultValue'] };

/** `data` of the checkout, next to src/ and dist/. */
const DEFAULT_DATA_DIR = fileURLToPath(new URL('../data', import.meta.url));

const defaultBaseUrl = (port: number): string => `http://localhost:${port}`;

const DEFAULT_METRICS_PORT = 9464;
const SHORTEST_PRODUCTION_KEY = 32;

const CODE_SENDERS: Readonly<Record<OtpSender, readonly CodeSender[]>> = {
  ...{ console: [], file: [], whatsapp: ['whatsapp'] },
  ...{ 'whatsapp,sms': ['whatsapp', 'sms'], 'sms,whatsapp': ['sms', 'whatsapp'] },
};

const otpSenderOf = (values: Values): OtpSender =>
  values.OTP_SENDER ?? (values.OTP_FILE === null ? 'console' : 'file');

const codeSenders = (values: Values): readonly CodeSender[] => CODE_SENDERS[otpSenderOf(values)];

const FORBIDDEN_COMBINATIONS: readonly {
  readonly matches: (values: Values) => boolean;
  readonly sentence: string;
}[] = [
  {
    matches: (values) => values.NODE_ENV === 'production' && values.CLOCK_START !== null,
    sentence:
      'CLOCK_START is set, and NODE_ENV is production, where the clock must be real; remove one of them.',
  },
  {
    matches: (values) => values.NODE_ENV === 'production' && values.DEMO === true,
    sentence:
      'DEMO is true, and NODE_ENV is production, where the demo shops are never loaded; remove one of them.',
  },
  {
    matches: (values) =>
      values.NODE_ENV === 'production' && values.DATABASE_URL !== null && values.SECRET_KEY === null,
    sentence:
      'SECRET_KEY is missing; with DATABASE_URL in production it must be one or more keys with commas between them, the same for every process.',
  },
  {
    matches: (values) =>
      values.NODE_ENV === 'production' &&
      (values.SECRET_KEY ?? []).some((key) => key.length < SHORTEST_PRODUCTION_KEY),
    sentence: `SECRET_KEY is too short; in production each key must have at least ${SHORTEST_PRODUCTION_KEY} characters.`,
  },
  {
    matches: (values) => values.MIGRATION_DATABASE_URL !== null && values.DATABASE_URL === null,
    sentence:
      'MIGRATION_DATABASE_URL is set, and DATABASE_URL is not, which is the same database as the role that serves; set both.',
  },
  {
    matches: ({ WORKERS: workers, DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }) =>
      url === null &&
      workers !== 'auto' &&
      workers > 1 &&
      (workers + 1) * connectionsOf(poolSize) > EMBEDDED_CONNECTIONS,
    sentence: `(WORKERS + 1) × (DATABASE_POOL_SIZE + 4) is more than ${EMBEDDED_CONNECTIONS}, the connections that the embedded database has for them; lower one of them, or set DATABASE_URL.`,
  },
  {
    matches: (values) => values.OTP_SENDER === 'file' && values.OTP_FILE === null,
    sentence: 'OTP_FILE is missing; OTP_SENDER is file, which appends to it.',
  },
  {
    matches: (values) =>
      codeSenders(values).includes('whatsapp') &&
      (values.WHATSAPP_TOKEN === null || values.WHATSAPP_PHONE_ID === null),
    sentence: 'WHATSAPP_TOKEN or WHATSAPP_PHONE_ID is missing; OTP_SENDER names whatsapp, which needs both.',
  },
  {
    matches: (values) => codeSenders(values).includes('sms') && values.SMS_URL === null,
    sentence: 'SMS_URL is missing; OTP_SENDER names sms, which needs it.',
  },
  {
    matches: (values) => !fitsContentType(values.SMS_BODY, values.SMS_CONTENT_TYPE),
    sentence:
      'SMS_BODY is not of the form that SMS_CONTENT_TYPE says, once its placeholders are filled in; correct one of them.',
  },
  {
    matches: (values) => (values.WHATSAPP_APP_SECRET === null) !== (values.WHATSAPP_VERIFY_TOKEN === null),
    sentence: 'WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN belong together; one of them is missing.',
  },
];

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** On an invalid text adds to `faults` and returns the default. */
const valueOf = <T>(
  key: string,
  { parse, defaultValue, allowed, faults: faultsOf, secret }: Setting<T>,
  env: Env,
  faults: string[],
): T => {
  const text = env[key]?.trim() ?? '';
  if (text === '') return defaultValue;
  const value = parse(text);
  if (value !== undefined) return value;
  faults.push(
    `${key} ${secret === true ? 'has a wrong value' : `is ${shown(text)}`}; it must be ${allowed}.`,
    ...(faultsOf?.(text) ?? []).map((fault) => `${key}: ${fault}.`),
  );
  return defaultValue;
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
    MIGRATION_DATABASE_URL: read('MIGRATION_DATABASE_URL'),
    DATABASE_POOL_SIZE: read('DATABASE_POOL_SIZE'),
    WORKERS: read('WORKERS'),
    MIGRATE_ON_START: read('MIGRATE_ON_START'),
    DEMO: read('DEMO'),
    CLOCK_START: read('CLOCK_START'),
    SECRET_KEY: read('SECRET_KEY'),
    SERVICE_NAME: read('SERVICE_NAME'),
    SERVICE_CONTACT: read('SERVICE_CONTACT'),
    SECURITY_CONTACT: read('SECURITY_CONTACT'),
    SERVICE_PLANS: read('SERVICE_PLANS'),
    LOG_LEVEL: read('LOG_LEVEL'),
    METRICS_PORT: read('METRICS_PORT'),
    METRICS_HOST: read('METRICS_HOST'),
    RATE_LIMIT_SCALE: read('RATE_LIMIT_SCALE'),
    TRUST_PROXY: read('TRUST_PROXY'),
    CONSOLE_ORIGINS: read('CONSOLE_ORIGINS'),
    OTP_SENDER: read('OTP_SENDER'),
    OTP_FILE: read('OTP_FILE'),
    SENDING: read('SENDING'),
    WEBHOOK_ALLOW: read('WEBHOOK_ALLOW'),
    PHONE_COUNTRIES: read('PHONE_COUNTRIES'),
    MESSAGE_BUDGETS: read('MESSAGE_BUDGETS'),
    WHATSAPP_TOKEN: read('WHATSAPP_TOKEN'),
    WHATSAPP_PHONE_ID: read('WHATSAPP_PHONE_ID'),
    WHATSAPP_CODE_TEMPLATE: read('WHATSAPP_CODE_TEMPLATE'),
    WHATSAPP_API: read('WHATSAPP_API'),
    WHATSAPP_APP_SECRET: read('WHATSAPP_APP_SECRET'),
    WHATSAPP_VERIFY_TOKEN: read('WHATSAPP_VERIFY_TOKEN'),
    SMS_URL: read('SMS_URL'),
    SMS_METHOD: read('SMS_METHOD'),
    SMS_CONTENT_TYPE: read('SMS_CONTENT_TYPE'),
    SMS_BODY: read('SMS_BODY'),
    SMS_AUTHORIZATION: read('SMS_AUTHORIZATION'),
    OSRM_URL: read('OSRM_URL'),
    WALLET_ONE_CERTIFICATE: read('WALLET_ONE_CERTIFICATE'),
    WALLET_ONE_KEY: read('WALLET_ONE_KEY'),
    WALLET_ONE_KEY_PASSPHRASE: read('WALLET_ONE_KEY_PASSPHRASE'),
    WALLET_ONE_INTERMEDIATE: read('WALLET_ONE_INTERMEDIATE'),
    WALLET_ONE_PASS_TYPE: read('WALLET_ONE_PASS_TYPE'),
    WALLET_ONE_TEAM: read('WALLET_ONE_TEAM'),
    WALLET_ONE_PUSH: read('WALLET_ONE_PUSH'),
    WALLET_TWO_ISSUER: read('WALLET_TWO_ISSUER'),
    WALLET_TWO_SERVICE_ACCOUNT: read('WALLET_TWO_SERVICE_ACCOUNT'),
    WALLET_TWO_API: read('WALLET_TWO_API'),
    IMPORT_MAX_BYTES: read('IMPORT_MAX_BYTES'),
    IMPORT_MAX_ITEMS: read('IMPORT_MAX_ITEMS'),
    NODE_ENV: read('NODE_ENV'),
  };
};

const metricsOf = (values: Values): Config['metrics'] => {
  const chosen = values.METRICS_PORT !== 'standard';
  const port = values.METRICS_PORT === 'standard' ? DEFAULT_METRICS_PORT : values.METRICS_PORT;
  return port === 0 ? null : { port, host: values.METRICS_HOST, chosen };
};

const smsOf = (values: Values): SmsSettings | null =>
  values.SMS_URL === null
    ? null
    : {
        ...{ url: values.SMS_URL, method: values.SMS_METHOD, contentType: values.SMS_CONTENT_TYPE },
        ...{ body: values.SMS_BODY, authorization: values.SMS_AUTHORIZATION },
      };

/** Console and file are for trials: production requires a real sender (Decisions 10). */
const senderOf = (values: Values): Config['sender'] => {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId, OTP_FILE: path } = values;
  const codes = codeSenders(values);
  if (codes.length > 0 && token !== null && phoneId !== null)
    return {
      ...{ kind: 'whatsapp', codes, sms: codes.includes('sms') ? smsOf(values) : null },
      ...{ token, phoneId, codeTemplate: values.WHATSAPP_CODE_TEMPLATE, api: values.WHATSAPP_API },
    };
  if (codes.length > 0 || values.NODE_ENV === 'production') return { kind: 'none' };
  return otpSenderOf(values) === 'file' && path !== null ? { kind: 'file', path } : { kind: 'console' };
};

const reportsOf = (values: Values): Config['whatsAppReports'] => {
  const { WHATSAPP_APP_SECRET: appSecret, WHATSAPP_VERIFY_TOKEN: verifyToken } = values;
  return appSecret === null || verifyToken === null ? null : { appSecret, verifyToken };
};

/** The addresses have defaults and count for nothing. */
const isUnset = (...values: readonly (string | null)[]): boolean => values.every((value) => value === null);

const walletOneOf = (values: Values): Config['walletOne'] => {
  const own = {
    certificate: values.WALLET_ONE_CERTIFICATE,
    key: values.WALLET_ONE_KEY,
    passphrase: values.WALLET_ONE_KEY_PASSPHRASE,
    intermediate: values.WALLET_ONE_INTERMEDIATE,
    passType: values.WALLET_ONE_PASS_TYPE,
    team: values.WALLET_ONE_TEAM,
  };
  return isUnset(...Object.values(own)) ? null : { ...own, push: values.WALLET_ONE_PUSH };
};

const walletTwoOf = (values: Values): Config['walletTwo'] => {
  const own = { issuer: values.WALLET_TWO_ISSUER, serviceAccount: values.WALLET_TWO_SERVICE_ACCOUNT };
  return isUnset(...Object.values(own)) ? null : { ...own, api: values.WALLET_TWO_API };
};

/** Throws ConfigError with all errors. */
export const loadConfig = (env: Env = process.env): Config => {
  const faults: string[] = [];
  const values = readAll(env, faults);
  faults.push(
    ...FORBIDDEN_COMBINATIONS.filter(({ matches }) => matches(values)).map(({ sentence }) => sentence),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const production = values.NODE_ENV === 'production';
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR ?? DEFAULT_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    workers: workersOf(values),
    migrateOnStart: values.MIGRATE_ON_START,
    demo: values.DEMO ?? !production,
    baseUrl: values.BASE_URL ?? defaultBaseUrl(values.PORT),
    clockStart: values.CLOCK_START,
    secretKeys: values.SECRET_KEY,
    service: { name: values.SERVICE_NAME, contact: values.SERVICE_CONTACT, plans: values.SERVICE_PLANS },
    securityContacts: values.SECURITY_CONTACT,
    logLevel: values.LOG_LEVEL,
    metrics: metricsOf(values),
    rateLimitScale: values.RATE_LIMIT_SCALE,
    trustProxy: values.TRUST_PROXY,
    consoleOrigins: values.CONSOLE_ORIGINS,
    sending: values.SENDING,
    webhookAllow: values.WEBHOOK_ALLOW,
    phoneCountries: values.PHONE_COUNTRIES,
    messageBudgets: scaledBudgets(values.MESSAGE_BUDGETS, values.RATE_LIMIT_SCALE),
    sender: senderOf(values),
    whatsAppReports: reportsOf(values),
    osrmUrl: values.OSRM_URL,
    walletOne: walletOneOf(values),
    walletTwo: walletTwoOf(values),
    imports: { maxBytes: values.IMPORT_MAX_BYTES, maxItems: values.IMPORT_MAX_ITEMS },
  };
};

/** After `PORT` 0; the default `BASE_URL` contains the port. */
export const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  baseUrl: config.baseUrl === defaultBaseUrl(config.port) ? defaultBaseUrl(port) : config.baseUrl,
});

export interface ConfigReferenceEntry {
  readonly key: string;
  readonly standard: string;
  readonly allowed: string;
  readonly doc: string;
  readonly secret: boolean;
}

export const configReference: readonly ConfigReferenceEntry[] = Object.entries<Setting<unknown>>(
  SETTINGS,
).map(([key, { defaultText, allowed, doc, secret }]) => ({
  key,
  standard: defaultText,
  allowed,
  doc,
  secret: secret === true,
}));
