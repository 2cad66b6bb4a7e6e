/** Responses of other servers; invalid fields count as missing. */

/** Expected responses have about a hundred bytes. */
export const MAX_RESPONSE_BYTES = 65_536;

/** Null when the body exceeds `MAX_BYTES`. */
export const textOf = async (response: Response): Promise<string | null> => {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** ms. A time is relative to the response's own `Date`, because clocks differ. Null without a header. */
export const retryAfterMs = (
  retryAfter: string | null | undefined,
  date: string | null | undefined,
): number | null => {
  const header = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const wait = Date.parse(header) - Date.parse(date ?? '');
  return wait >= 0 ? wait : null;
};

// ── JSON ────────────────────────────────────────────────────────────────────────────────────────

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** undefined when `text` is no JSON. */
export const valueOfJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** undefined when missing. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Empty when the field is no list. */
export const entriesOf = (value: unknown, name: string): readonly unknown[] => {
  const list: unknown = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
};

/** Null unless a string of 1 to `longest` characters. */
export const textIn = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.length >= 1 && value.length <= longest ? value : null;
