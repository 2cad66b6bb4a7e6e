/** What makes two requests under one `Idempotency-Key` the same: the same JSON, apart from device tokens (Decisions 8). */
import { createHash } from 'node:crypto';

/** Proofs that a client may have renewed between two tries. */
const APART: ReadonlySet<string> = new Set(['device_token', 'contact_device_token']);

/** Keys in one order, so that how a client writes its object does not count. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !APART.has(key));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, canonical(child)]),
  );
};

/** A digest of a body, to compare with; kept as long as its key. */
export const bodyHash = (body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(canonical(body)))
    .digest();
