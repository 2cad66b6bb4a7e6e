import { resolve } from 'node:path';
import {
  BOOLEAN_WORDS,
  baseUrl,
  budgetFaults,
  budgets,
  boolean,
  consoleOrigins,
  contacts,
  countries,
  databaseUrl,
  decimal,
  hostName,
  list,
  parseInstant,
  oneOf,
  plans,
  proxies,
  secretText,
  shortText,
  templateName,
  wholeNumber,
} from './values.ts';
import { STANDARD_BUDGETS, type BudgetLimits } from '../messaging/domain/budget.ts';
import { allowFaults, parseAllow, type WebhookAllow } from '../messaging/domain/webhook-allow.ts';
import { setting } from './setting.ts';
import { SMS_SETTINGS } from './sms-settings.ts';
import { WALLET_SETTINGS } from './wallet-settings.ts';
import type { Plan } from '../shops/domain/plan.ts';
import { MAX_IMPORT_BYTES, MAX_ITEMS, DEFAULT_IMPORT_BYTES } from '../shopfile/domain/limits.ts';
import type { Instant } from '../kernel/time.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const OTP_SENDERS = ['console', 'file', 'whatsapp', 'whatsapp,sms', 'sms,whatsapp'] as const;
export type OtpSender = (typeof OTP_SENDERS)[number];

/** Egypt's neighbours and the Gulf. */
const DEFAULT_COUNTRIES = ['SA', 'AE', 'KW', 'QA', 'BH', 'OM', 'JO', 'LB', 'SD', 'LY'];

export interface WhatsAppSettings {
  readonly token: string;
  readonly phoneId: string;
  readonly codeTemplate: string;
  readonly api: string;
}

const DEFAULT_PLANS_TEXT = 'Menu=0, Orders=600, Everything=1200';
const DEFAULT_PLANS = plans(DEFAULT_PLANS_TEXT) ?? [];

export const MOST_WORKERS = 64;

/** By variable name. `docs/config.md` is generated from this table. */
export const SETTINGS = {
  PORT: setting({
    parse: wholeNumber(0, 65_535),
    defaultValue: 8080,
    defaultText: '8080',
    allowed: 'a whole number from 0 to 65535 (0 = any free port)',
    doc: 'Port of the API and of its documents.',
  }),
  HOST: setting({
    parse: hostName,
    defaultValue: '0.0.0.0',
    defaultText: '0.0.0.0 (every IPv4 address of the machine)',
    allowed: 'an IP address or a host name',
    doc: 'Address to listen on: 127.0.0.1 for this machine alone, :: for IPv6 and IPv4.',
  }),
  BASE_URL: setting<string | null>({
    parse: baseUrl,
    defaultValue: null,
    defaultText: 'http://localhost:PORT',
    allowed: 'an http:// or https:// address without a query',
    doc: 'Public address, used in every absolute link. While it is one of this machine, `/mcp` answers under names of this machine alone.',
  }),
  DATA_DIR: setting<string | null>({
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    defaultValue: null,
    defaultText: './data (of the checkout)',
    allowed: 'the path of a folder',
    doc: 'Folder of the embedded database, the secret key and what running processes share. Made when missing. Where root starts it in a place that other users cannot enter, the database alone is in a folder under `/var/lib/ahwa/data`, which `postgres.json` names as `cluster` (docs/operations.md).',
  }),
  DATABASE_URL: setting<string | null>({
    parse: databaseUrl,
    defaultValue: null,
    defaultText: 'none: PostgreSQL runs embedded, in DATA_DIR',
    allowed: 'an address that begins with postgres:// or postgresql://, its password percent-encoded',
    doc: 'Any PostgreSQL 15 or newer to use instead of the embedded one.',
    secret: true,
  }),
  MIGRATION_DATABASE_URL: setting<string | null>({
    parse: databaseUrl,
    defaultValue: null,
    defaultText: 'none: the role of DATABASE_URL does both',
    allowed: 'an address that begins with postgres:// or postgresql://, its password percent-encoded',
    doc: 'The same database as DATABASE_URL, as the role that owns the tables: it migrates, backs up and restores, and gives the role of DATABASE_URL the right to read and write rows, and no more (docs/operations.md).',
    secret: true,
  }),
  DATABASE_POOL_SIZE: setting({
    parse: wholeNumber(1, 500),
    defaultValue: 10,
    defaultText: '10',
    allowed: 'a whole number from 1 to 500',
    doc: "Connections one process holds at most for requests; it holds four more for what goes on by itself. Processes × (this + 4) must stay 10 below the database's max_connections.",
  }),
  WORKERS: setting<number | 'auto'>({
    parse: (text) => (text === 'auto' ? 'auto' : wholeNumber(1, MOST_WORKERS)(text)),
    defaultValue: 1,
    defaultText: '1',
    allowed: `a whole number from 1 to ${MOST_WORKERS}, or auto`,
    doc: 'Processes that answer requests on `PORT`; `auto` = one for each core that the machine, or the limit of its container, gives this process.',
  }),
  MIGRATE_ON_START: setting({
    parse: boolean,
    defaultValue: true,
    defaultText: 'true',
    allowed: BOOLEAN_WORDS,
    doc: 'Whether the start brings the tables up to date; otherwise run `ahwa migrate` first.',
  }),
  DEMO: setting<boolean | null>({
    parse: boolean,
    defaultValue: null,
    defaultText: 'true, in production false',
    allowed: BOOLEAN_WORDS,
    doc: 'Whether the start loads the demo shops into an empty database. Not allowed in production.',
  }),
  CLOCK_START: setting<Instant | null>({
    parse: parseInstant,
    defaultValue: null,
    defaultText: 'none: the real time',
    allowed: 'a moment with its zone, such as 2026-04-24T18:00:00Z',
    doc: 'The clock starts here and runs on, for trying out and testing. Not allowed in production.',
  }),
  SECRET_KEY: setting<readonly string[] | null>({
    parse: list,
    defaultValue: null,
    defaultText: 'a key made once and kept in DATA_DIR (mode 0600)',
    allowed: 'one or more keys with commas between them',
    doc: 'Keys for tokens, the pepper of passwords and PINs, and secrets at rest: the first is used for what is new, all for what there is (docs/operations.md, Keys). Required with DATABASE_URL in production, each of at least 32 characters there.',
    secret: true,
  }),
  SERVICE_NAME: setting({
    parse: shortText,
    defaultValue: 'Ahwa',
    defaultText: 'Ahwa',
    allowed: 'a text of 1 to 80 characters on one line',
    doc: 'What the service calls itself.',
  }),
  SERVICE_CONTACT: setting({
    parse: shortText,
    defaultValue: 'hello@ahwa.example',
    defaultText: 'hello@ahwa.example',
    allowed: 'a text of 1 to 80 characters on one line',
    doc: 'Where a person who asks about the service is sent: an e-mail address or a web address.',
  }),
  SECURITY_CONTACT: setting<readonly string[] | null>({
    parse: contacts,
    defaultValue: null,
    defaultText: 'none: /.well-known/security.txt is 404',
    allowed:
      'addresses such as mailto:security@cafe.example or https://cafe.example/security with commas between them',
    doc: 'Where somebody who found a weakness of this installation writes to, the preferred first; published at /.well-known/security.txt (RFC 9116), which each start of the server dates anew.',
  }),
  SERVICE_PLANS: setting<readonly Plan[]>({
    parse: plans,
    defaultValue: DEFAULT_PLANS,
    defaultText: DEFAULT_PLANS_TEXT,
    allowed:
      'plans such as Menu=0, Orders=450.50: a name and pounds a month per branch, with commas between them; none where prices are to be asked for',
    doc: 'What a shop pays a month for each branch, by plan; told by the tool about_ahwa and on the landing page.',
  }),
  LOG_LEVEL: setting<LogLevel>({
    parse: oneOf(LOG_LEVELS),
    defaultValue: 'info',
    defaultText: 'info',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    doc: 'The least that is logged, as JSON lines: by a server on standard output, by a command on standard error. Security events are `warn`.',
  }),
  METRICS_PORT: setting<number | 'standard'>({
    parse: (text) => (text === 'off' ? 0 : wholeNumber(0, 65_535)(text)),
    defaultValue: 'standard',
    defaultText: '9464',
    allowed: 'a whole number from 1 to 65535, or 0 or off',
    doc: 'Port of the Prometheus metrics; 0 or off = none.',
  }),
  METRICS_HOST: setting({
    parse: hostName,
    defaultValue: '127.0.0.1',
    defaultText: '127.0.0.1',
    allowed: 'an IP address or a host name',
    doc: 'Address the metrics listen on.',
  }),
  RATE_LIMIT_SCALE: setting({
    parse: decimal,
    defaultValue: 1,
    defaultText: '1',
    allowed: 'a decimal number that is not negative',
    doc: 'Multiplies every request limit per client address, the budgets of codes and messages, and the brake on orders; 0 = no limits.',
  }),
  TRUST_PROXY: setting<readonly string[]>({
    parse: proxies,
    defaultValue: [],
    defaultText: 'none',
    allowed: 'IP addresses or CIDR blocks with commas between them',
    doc: "Proxies whose X-Forwarded-For is believed, such as 127.0.0.1,10.0.0.0/8. From others the connection's own address counts.",
  }),
  CONSOLE_ORIGINS: setting<readonly string[]>({
    parse: consoleOrigins,
    defaultValue: [],
    defaultText: 'none',
    allowed:
      'https:// origins with commas between them, without a path; http:// for names of this machine alone',
    doc: "Origins beside BASE_URL whose pages may use the staff API with the session cookie, such as https://console.ahwa.example. Such a page must be of BASE_URL's site, as browsers send the cookie to no other (docs/operations.md).",
  }),
  OTP_SENDER: setting<OtpSender | null>({
    parse: (text) => oneOf(OTP_SENDERS)(text.replace(/\s*,\s*/g, ',')),
    defaultValue: null,
    defaultText: 'file when OTP_FILE is set, else console',
    allowed: 'console, file, whatsapp, or one of whatsapp,sms and sms,whatsapp',
    doc: 'What brings one-time codes and messages to phones. Of two senders the second takes a code that the first does not; messages go by WhatsApp alone. console and file are for trying out: in production nothing is sent by them, and codes answer 503.',
  }),
  OTP_FILE: setting<string | null>({
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    defaultValue: null,
    defaultText: 'none',
    allowed: 'the path of a file',
    doc: 'Where OTP_SENDER=file appends a JSON line for each code and message.',
  }),
  SENDING: setting<boolean | null>({
    parse: (text) => ({ on: true, off: false })[text],
    defaultValue: null,
    defaultText: 'on, but off on a restored copy until `ahwa sending on`',
    allowed: 'on or off',
    doc: 'Whether messages, one-time codes and events leave this process, and whether it sweeps. on also ends the silence of a restored copy when the server starts (docs/operations.md).',
  }),
  WEBHOOK_ALLOW: setting<WebhookAllow>({
    parse: parseAllow,
    defaultValue: [],
    defaultText: 'none: webhooks reach the public internet alone',
    allowed:
      'host names, IP addresses or CIDR ranges with commas between them, each with a port or for all ports, such as 127.0.0.1, till.internal:8443, 10.0.0.0/8, [fd00::/8]:443',
    doc: 'Hosts inside your network that webhooks may reach too, also by http:// (docs/webhooks.md, Trying it out). Link-local addresses, those of cloud metadata and unspecified ones are never reached.',
    faults: allowFaults,
  }),
  PHONE_COUNTRIES: setting<readonly string[]>({
    parse: countries,
    defaultValue: DEFAULT_COUNTRIES,
    defaultText: DEFAULT_COUNTRIES.join(', '),
    allowed: 'ISO 3166 codes such as SA, AE with commas between them, or none',
    doc: "Countries whose mobile phones are taken besides Egypt's.",
  }),
  MESSAGE_BUDGETS: setting<BudgetLimits>({
    parse: budgets,
    defaultValue: STANDARD_BUDGETS,
    defaultText: 'total=3000, shop=500, address=20, +20=3000',
    allowed:
      'budgets such as total=3000, shop=500, address=20, +20=3000, +966=50: a whole number of at most 7 digits each, with commas between them',
    doc: 'Codes and messages an hour: in all, for each shop, for each client address, and to each country prefix. What is not named keeps its default; to a phone under no prefix that is named nothing is sent. `RATE_LIMIT_SCALE` multiplies them (docs/operations.md, Budgets).',
    faults: budgetFaults,
  }),
  WHATSAPP_TOKEN: setting<string | null>({
    parse: secretText,
    defaultValue: null,
    defaultText: 'none',
    allowed: 'the access token of a WhatsApp Cloud API app',
    doc: 'Access token of the WhatsApp Cloud API. Required where OTP_SENDER names whatsapp.',
    secret: true,
  }),
  WHATSAPP_PHONE_ID: setting<string | null>({
    parse: (text) => (/^\d{5,30}$/.test(text) ? text : undefined),
    defaultValue: null,
    defaultText: 'none',
    allowed: 'the digits of a phone number id',
    doc: 'Id of the phone number that sends. Required where OTP_SENDER names whatsapp.',
  }),
  WHATSAPP_CODE_TEMPLATE: setting({
    parse: templateName,
    defaultValue: 'one_time_code',
    defaultText: 'one_time_code',
    allowed: 'small letters, digits and underscores',
    doc: 'Name of the approved authentication template that carries codes; the names of the others are in docs/messages.md.',
  }),
  WHATSAPP_API: setting({
    parse: baseUrl,
    defaultValue: 'https://graph.facebook.com/v25.0',
    defaultText: 'https://graph.facebook.com/v25.0',
    allowed: 'an http:// or https:// address without a query',
    doc: 'Where the Cloud API is, with its version.',
  }),
  WHATSAPP_APP_SECRET: setting<string | null>({
    parse: secretText,
    defaultValue: null,
    defaultText: 'none: reports of what became of messages are refused',
    allowed: 'the app secret',
    doc: 'Verifies the signature of the reports that WhatsApp posts to /whatsapp/status.',
    secret: true,
  }),
  WHATSAPP_VERIFY_TOKEN: setting<string | null>({
    parse: secretText,
    defaultValue: null,
    defaultText: 'none',
    allowed: 'the token typed in where the webhook is set up',
    doc: 'Answers the question that WhatsApp asks when /whatsapp/status is set up.',
    secret: true,
  }),
  ...SMS_SETTINGS,
  OSRM_URL: setting<string | null>({
    parse: baseUrl,
    defaultValue: null,
    defaultText: 'none: distances are great-circle ones',
    allowed: 'an http:// or https:// address without a query',
    doc: 'An OSRM server for distances by road, such as http://osrm:5000; the profile is `driving`.',
  }),
  ...WALLET_SETTINGS,
  IMPORT_MAX_BYTES: setting({
    parse: wholeNumber(1, MAX_IMPORT_BYTES),
    defaultValue: DEFAULT_IMPORT_BYTES,
    defaultText: `${DEFAULT_IMPORT_BYTES} (64 MiB)`,
    allowed: `a whole number from 1 to ${MAX_IMPORT_BYTES}`,
    doc: 'Bytes that `ahwa import` and `ahwa import-menu` read, of all files of one command together; a larger file is refused before it is read.',
  }),
  IMPORT_MAX_ITEMS: setting({
    parse: wholeNumber(1, MAX_ITEMS),
    defaultValue: MAX_ITEMS,
    defaultText: String(MAX_ITEMS),
    allowed: `a whole number from 1 to ${MAX_ITEMS}`,
    doc: 'Menu items that `ahwa import` and `ahwa import-menu` read, in all files of one command together.',
  }),
  NODE_ENV: setting({
    parse: oneOf(['production', 'development', 'test']),
    defaultValue: 'development',
    defaultText: 'development',
    allowed: 'production, development or test',
    doc: 'production refuses CLOCK_START, DEMO and whatever else is for trying out.',
  }),
};
