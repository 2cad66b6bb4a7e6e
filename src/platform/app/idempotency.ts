/** Bodies are equal when their JSON is, apart from device tokens (Decisions 8). */
import { createHash } from 'node:crypto';
import { Refusal } from '../../kernel/refusal.ts';
import type { EarlierSubject } from '../store/idempotency.ts';

/** A client may have renewed these between two attempts. */
const IGNORED_KEYS: ReadonlySet<string> = new Set(['device_token', 'contact_device_token']);

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !IGNORED_KEYS.has(key));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, canonical(child)]),
  );
};

export const bodyHash = (body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(canonical(body)))
    .digest();

/** Throws IDEMPOTENCY_KEY_REUSED where what the key made before came of another body. */
export const refuseOtherBody = (before: Pick<EarlierSubject, 'bodyHash'>, hash: Buffer): void => {
  if (before.bodyHash !== hash.toString('hex')) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
};
