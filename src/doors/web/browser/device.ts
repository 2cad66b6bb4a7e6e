/** The proof of a phone on this device, which the server gives for 90 days at every shop (Decisions 10). */
import { local, readStored, store } from './storage.ts';

const KEY = 'ahwa-device';
const DAYS = 90;
const DAY_MS = 86_400_000;

const isKept = (value: unknown): value is { readonly token: string; readonly until: number } =>
  typeof value === 'object' &&
  value !== null &&
  'token' in value &&
  typeof value.token === 'string' &&
  'until' in value &&
  typeof value.until === 'number';

/** The device token; null: none, or the browser keeps nothing. */
export const readDevice = (): string | null => {
  const kept = readStored(local, KEY);
  return isKept(kept) && kept.until > Date.now() ? kept.token : null;
};

/** A browser that keeps nothing asks for a code each time. */
export const keepDevice = (token: string): void =>
  store(local, KEY, { token, until: Date.now() + DAYS * DAY_MS });

/** A token that the server does not know any more. */
export const forgetDevice = (): void => store(local, KEY, null);
