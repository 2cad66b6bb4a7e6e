/** What other servers answer: read only so far, field by field, and whatever is not as it should be is not there. */

/** As much of an answer as is read: the answers that we wait for have some hundred bytes. */
export const MOST_BYTES = 65_536;

/** The body as text; null where it is longer than any answer. */
export const textOf = async (response: Response): Promise<string | null> => {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * How long `Retry-After` asks to wait, ms: seconds, or a moment beside the answer's own `Date`, for clocks differ; null
 * where it does not say.
 */
export const askedWait = (
  retryAfter: string | null | undefined,
  date: string | null | undefined,
): number | null => {
  const asked = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1000;
  const wait = Date.parse(asked) - Date.parse(date ?? '');
  return wait >= 0 ? wait : null;
};

// ── JSON ────────────────────────────────────────────────────────────────────────────────────────

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The value that JSON text stands for; undefined where it is no JSON, which no JSON stands for. */
export const valueOfJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The field `name` of an object; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The entries of the list in the field `name`; none where it is no list. */
export const entriesOf = (value: unknown, name: string): readonly unknown[] => {
  const list: unknown = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
};

/** A text of 1 to `longest` characters, or null. */
export const textIn = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.length >= 1 && value.length <= longest ? value : null;
