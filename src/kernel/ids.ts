/** Canonical UUID in lower case; input in upper case is converted when it is read. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const parseUuid = (text: string): Uuid | null => (UUID.test(text) ? text.toLowerCase() : null);

/** An id of a body that was checked; null: it names none. */
export const idOrNull = (text: string | null | undefined): Uuid | null => text?.toLowerCase() ?? null;

const SHORT = /^[\w-]{22}$/;

/** The id in 22 characters (base64url), for addresses in pages: a menu has hundreds of them. */
export const shortId = (id: Uuid): string => {
  const bytes = (id.replaceAll('-', '').match(/../g) ?? []).map((byte) => parseInt(byte, 16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
};

/** An id in either form. */
export const parseId = (text: string): Uuid | null => {
  if (!SHORT.test(text)) return parseUuid(text);
  const bytes = Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
    byte.charCodeAt(0),
  );
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return shortId(id) === text ? parseUuid(id) : null;
};

/** (Decisions 1) */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}$';

const SLUG = new RegExp(SLUG_PATTERN);

/** Checks the form only; `slugs.ts` holds the reserved slugs. */
export const isSlug = (text: string): boolean => SLUG.test(text);

export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
