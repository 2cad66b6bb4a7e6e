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
  'stream_token',
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

/** At depth one to three. */
const atEveryDepth = (field: string): string[] => ['', '*', '*.*'].map((above) => `${above}["${field}"]`);

const DIGIT = '[0-9٠-٩۰-۹]';
/** Numbers that start like a dialled one (`+`, also URL-encoded), with separators. */
const DIALLED_PATTERN = `(?:\\+|%2B|00|[0٠۰](?=[1١۱]))(?:${DIGIT}[ ().-]{0,2}){8,14}${DIGIT}`;
/** Digits with the country code, as phones are stored. */
const STORED_PATTERN = `${DIGIT}{10,15}`;
/** Skips parts of longer words (ids, hashes); the letter of a JSON escape is no such part. */
const NOT_WITHIN_A_WORD = '(?:(?<![\\w.-])|(?<=\\\\[bfnrt]))';
const PHONE = new RegExp(`${NOT_WITHIN_A_WORD}(?:${DIALLED_PATTERN}|${STORED_PATTERN})(?![\\w-])`, 'gi');

/** Precedes a bare JSON number; inside a text the quote would be escaped. */
const BARE_VALUE = /[^\\]":$/;

/** Keeps the last two digits (Decisions 10: no full phone number in any log); the line stays valid JSON. */
export const withoutPhones = (line: string): string =>
  line.replace(PHONE, (phone, offset: number) => {
    const masked = `•••• ${phone.slice(-2)}`;
    return BARE_VALUE.test(line.slice(Math.max(0, offset - 3), offset)) ? `"${masked}"` : masked;
  });

const STREAMS = { stdout: 1, stderr: 2 } as const;

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
      redact: { paths: SECRET_FIELDS.flatMap(atEveryDepth), censor: '[secret]' },
      hooks: { streamWrite: withoutPhones },
    },
    typeof destination === 'string'
      ? pino.destination({ dest: STREAMS[destination], sync: true })
      : destination,
  );
