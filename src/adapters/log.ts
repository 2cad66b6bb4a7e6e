/** JSON lines, with everything struck out that could be used as a key or to call a guest. */
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-device-token',
  'x-known-device',
  'device_token',
  'contact_device_token',
  'member_token',
  'manage_token',
  'known_device',
  'pairing_code',
  'token',
  'password',
  'new_password',
  'current_password',
  'pin',
  'new_pin',
  'current_pin',
  'totp',
  'recovery_code',
];

/** A field by itself, in an object, and in an object of that. */
const everywhere = (field: string): string[] => ['', '*', '*.*'].map((above) => `${above}["${field}"]`);

const DIGIT = '[0-9٠-٩۰-۹]';
/** What begins like a number to call (`+` also as an address writes it); its digits may be parted. */
const DIALLED = `(?:\\+|%2B|00|[0٠۰](?=[1١۱]))(?:${DIGIT}[ ().-]{0,2}){8,14}${DIGIT}`;
/** Digits with the country code and nothing else, as phones are kept. */
const KEPT = `${DIGIT}{10,15}`;
/** Parts of longer words (ids, hashes) are left alone; the letter of an escaped line break in JSON is no such part. */
const NOT_WITHIN_A_WORD = '(?:(?<![\\w.-])|(?<=\\\\[bfnrt]))';
const PHONE = new RegExp(`${NOT_WITHIN_A_WORD}(?:${DIALLED}|${KEPT})(?![\\w-])`, 'gi');

/** What stands before a bare number of a JSON line; inside a text the quote would be escaped. */
const BARE_VALUE = /[^\\]":$/;

/** Phone numbers keep their last two digits (Decisions 10: no full phone number in any log); the line stays JSON. */
export const withoutPhones = (line: string): string =>
  line.replace(PHONE, (phone, offset: number) => {
    const masked = `•••• ${phone.slice(-2)}`;
    return BARE_VALUE.test(line.slice(Math.max(0, offset - 3), offset)) ? `"${masked}"` : masked;
  });

const STREAMS = { stdout: 1, stderr: 2 } as const;

/** Logs at `level` and above to a stream of the process, or, in tests, to one of theirs. */
export const createLog = (
  level: string,
  destination: keyof typeof STREAMS | DestinationStream = 'stdout',
): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap(everywhere), censor: '[secret]' },
      hooks: { streamWrite: withoutPhones },
    },
    typeof destination === 'string'
      ? pino.destination({ dest: STREAMS[destination], sync: true })
      : destination,
  );
