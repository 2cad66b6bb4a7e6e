/** Something is made once under an `Idempotency-Key`, whoever makes it (Decisions 8). */
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Repeated } from './answer.ts';
import type { App } from './app.ts';
import { bodyHash, refuseOtherBody } from './idempotency.ts';
import { KeyTaken, subjectUnderKey, type KeyOf } from '../store/idempotency.ts';

export interface RequestKey extends KeyOf {
  readonly hash: Buffer;
}

/** Null: the request has none. */
export const requestKey = (
  orgId: Uuid,
  operation: string,
  key: string | undefined,
  body: unknown,
): RequestKey | null => (key === undefined ? null : { orgId, operation, key, hash: bodyHash(body) });

/** What was made under the key, as it stands now. Throws IDEMPOTENCY_KEY_REUSED for another body. */
const madeUnder = async <T>(
  app: App,
  key: RequestKey,
  viewOf: (id: Uuid) => Promise<T>,
): Promise<Repeated<T> | null> => {
  const before = await subjectUnderKey(app.db.kysely, key);
  if (before === null) return null;
  refuseOtherBody(before, key.hash);
  return new Repeated(await viewOf(before.id));
};

/** For work that finds itself done already: throws `KeyTaken` where that was done under the same key. */
export const refuseTakenKey = async (app: App, key: RequestKey | null): Promise<void> => {
  if (key !== null && (await subjectUnderKey(app.db.kysely, key)) !== null) throw new KeyTaken();
};

/** Runs `work`, unless something was made under the key: that is answered as it stands now. */
export const onceUnder = async <T>(
  app: App,
  key: RequestKey | null,
  viewOf: (id: Uuid) => Promise<T>,
  work: () => Promise<T>,
): Promise<T | Repeated<T>> => {
  if (key === null) return work();
  const before = await madeUnder(app, key, viewOf);
  if (before !== null) return before;
  try {
    return await work();
  } catch (thrown) {
    // Another request with the key was faster, or took the table that this one needs.
    const isDecision = thrown instanceof KeyTaken || thrown instanceof Refusal;
    const made = isDecision ? await madeUnder(app, key, viewOf) : null;
    if (made === null) throw thrown;
    return made;
  }
};
