/**
 * Codes in responses and in the status webhook; Meta advises to use the code, not the HTTP status, title or
 * subcode. `later`: succeeds after time or a repair of the account. `never`: a retry to this phone would fail
 * again. The reasons are our words, because the provider's may contain the phone.
 */
import { later, never, type Unsent } from '../../messaging/domain/outbox.ts';
import { isPassingStatus } from './sent-codes.ts';

const LATER: Readonly<Record<number, string>> = {
  // Token or permissions: all messages fail until the operator renews them.
  0: 'the access token is not accepted',
  3: 'the app lacks a permission',
  10: 'the app lacks a permission',
  190: 'the access token has expired',
  131005: 'the app lacks a permission',
  // Account: likewise.
  33: 'the sending number does not exist',
  368: 'the account is restricted for breaking a policy',
  131031: 'the account is locked',
  131037: 'the display name of the sending number is not approved',
  131042: 'the account cannot pay',
  131045: 'the sending number is not registered rightly',
  133010: 'the sending number is not registered',
  // Rate limits.
  4: 'too many requests of the app',
  80007: 'too many requests of the account',
  130429: 'too many messages at once',
  131048: 'too many messages of the sending number were called spam',
  131056: 'too many messages to this phone at once',
  // Provider errors.
  1: 'an unknown fault of the provider',
  2: 'the provider is down',
  131000: 'an unknown fault of the provider',
  131016: 'the provider is overloaded',
  131057: 'the account is being moved',
  133004: 'the provider is down',
  // The provider lifts it after some hours.
  132015: 'the template is paused for its low quality',
};

const NEVER: Readonly<Record<number, string>> = {
  // The phone or its owner.
  130472: 'the phone is part of an experiment that gets no such messages',
  130497: 'the account may not write to the country of the phone',
  131021: 'the phone is the sender',
  131026: 'the phone cannot be reached on WhatsApp',
  131030: 'the phone is not among those that a trial account may write to',
  131047: 'the guest has not written for too long',
  131049: 'the provider chose not to deliver it',
  131050: 'the guest does not want such messages',
  131051: 'messages of this type are not supported',
  // The message does not match its template. After a repair the operator replays it.
  100: 'a field of the request is wrong',
  131008: 'a field of the request is missing',
  131009: 'a value of the request is wrong',
  132000: 'the template has another number of parameters',
  132001: 'the template does not exist in this language, or is not approved',
  132005: 'the text with its parameters is too long',
  132007: 'the text breaks a policy',
  132012: 'a parameter of the template has the wrong form',
  132016: 'the template is disabled for good',
  132018: 'a parameter of the template is not valid',
};

/** 200 to 299 are permission errors. */
const isPermission = (code: number): boolean => code >= 200 && code <= 299;

/** Unknown codes are classified by status; null: from the webhook, without status. */
const byStatus = (status: number | null): typeof later =>
  status !== null && isPassingStatus(status) ? later : never;

export const classifyError = (code: number, status: number | null): Unsent => {
  const passing = LATER[code] ?? (isPermission(code) ? 'the app lacks a permission' : undefined);
  if (passing !== undefined) return later(`WhatsApp error ${code}: ${passing}`);
  const final = NEVER[code];
  if (final !== undefined) return never(`WhatsApp error ${code}: ${final}`);
  return byStatus(status)(`WhatsApp error ${code}`);
};

export const errorCode = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9_999_999 ? value : null;
