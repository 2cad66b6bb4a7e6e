/** The proof of a phone on this device, which the server gives for 90 days at every shop (Decisions 10). */

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
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isKept(kept) && kept.until > Date.now() ? kept.token : null;
  } catch {
    return null;
  }
};

export const keepDevice = (token: string): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ token, until: Date.now() + DAYS * DAY_MS }));
  } catch {
    // A browser that keeps nothing asks for a code each time.
  }
};

/** A token that the server does not know any more. */
export const forgetDevice = (): void => {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing is kept.
  }
};
