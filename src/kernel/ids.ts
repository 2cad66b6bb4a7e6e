/** Canonical UUID in lower case; input in upper case is converted when it is read. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const parseUuid = (text: string): Uuid | null => (UUID.test(text) ? text.toLowerCase() : null);

/** (Decisions 1) */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$';

const SLUG = new RegExp(SLUG_PATTERN);

/** Checks the form only; `slugs.ts` holds the reserved slugs. */
export const isSlug = (text: string): boolean => SLUG.test(text);

export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
