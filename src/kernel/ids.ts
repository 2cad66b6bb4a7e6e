/** Lower-case canonical UUID text. Upper-case ids from outside are the same id and are folded at the door. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The canonical form of `text`, or null when it is not a UUID. */
export const parseUuid = (text: string): Uuid | null => (UUID.test(text) ? text.toLowerCase() : null);

/** A shop's address name (Decisions 1). */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$';

const SLUG = new RegExp(SLUG_PATTERN);

/** Whether `text` has the form of an address name; whether a shop may have it is for `slugs.ts` to say. */
export const isSlug = (text: string): boolean => SLUG.test(text);

/** Orders ids as their text stands. */
export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
