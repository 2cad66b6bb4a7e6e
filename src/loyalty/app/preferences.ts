import type { Kysely } from 'kysely';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { BodyOf, PathOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import type * as contract from '../contract/card.ts';
import { lockOwner, savePreferences } from '../store/member.ts';
import { cardChange } from './card.ts';
import { memberOfToken, type Member } from './member.ts';

interface Input {
  readonly path: PathOf<typeof contract.setCardPreferences>;
  readonly body: BodyOf<typeof contract.setCardPreferences>;
}

/** With the customer locked: while it waited, the card may have been combined with another. Throws NOT_FOUND. */
const lockedHolder = async (tx: Kysely<Database>, app: App, memberToken: string): Promise<Member> => {
  const before = await memberOfToken(app, memberToken, tx);
  await lockOwner(tx, before);
  const member = await memberOfToken(app, memberToken, tx);
  return member.customerId === before.customerId ? member : lockedHolder(tx, app, memberToken);
};

/** POST /public/loyalty/card/{member_token}/preferences. Null and absent leave a value. Throws NOT_FOUND. */
export const setCardPreferences =
  (app: App) =>
  ({ path, body }: Input): Promise<null> =>
    commitAndPublish(app, async (tx, log) => {
      const now = app.clock.now();
      const member = await lockedHolder(tx, app, path.member_token);
      const preferences = { language: body.locale ?? null, marketingOptOut: body.marketing_opt_out ?? null };
      if (preferences.language === null && preferences.marketingOptOut === null) return null;
      await savePreferences(tx, member, preferences, now);
      log.add(member.orgId, cardChange(member.cardId));
      return null;
    });
