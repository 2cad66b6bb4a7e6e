import type { Kysely } from 'kysely';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { Database } from '../../platform/store/schema.ts';
import { memberByToken, type Member } from '../store/card.ts';

export type { Member } from '../store/card.ts';

/** Throws NOT_FOUND. A malformed token is looked up as any other, so the time is the same. */
export const memberOfToken = async (
  { db, clock, tokens }: Pick<App, 'db' | 'clock' | 'tokens'>,
  token: string,
  tx: Kysely<Database> = db.kysely,
): Promise<Member> => {
  const member = await memberByToken(tx, tokens.hashOf(token), clock.now());
  if (member === null) throw new Refusal('NOT_FOUND');
  return member;
};
