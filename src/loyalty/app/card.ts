/** Loyalty cards, issued by the operator until guests can join themselves. */
import type { Uuid } from '../../kernel/ids.ts';
import { singleLine } from '../../kernel/free-text.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { addCard, cardOf, customerWith } from '../store/card.ts';
import type { App } from '../../platform/app/app.ts';
import { phoneIn } from '../../identity/app/otp.ts';

export interface NewLoyaltyCard {
  readonly id: Uuid;
  readonly customerId: Uuid;
  /** Bearer token, returned once. */
  readonly memberToken: string;
}

const TOKEN_PURPOSE = 'member';

/** Derived, so passes and links can recreate it. */
const tokenOf = ({ tokens }: Pick<App, 'tokens'>, cardId: Uuid, generation: number): string =>
  tokens.format('member', tokens.derived(TOKEN_PURPOSE, `${cardId}\n${generation}`));

/** Creates the customer if needed; null: they have a card. Throws INVALID_INPUT. */
export const makeCard = (
  app: App,
  orgId: Uuid,
  person: { readonly phone: string; readonly name: string },
): Promise<NewLoyaltyCard | null> => {
  const phone = phoneIn(app, person.phone, 'phone');
  const name = singleLine(person.name);
  if (name === null) throw invalidInput({ path: 'name', problem: 'is required', arabic: 'الاسم مطلوب' });
  return app.db.tx(async (tx) => {
    const now = app.clock.now();
    const customerId = await customerWith(tx, { orgId, id: app.random.uuid(), phone, name, now });
    if ((await cardOf(tx, orgId, customerId)) !== null) return null;
    const id = app.random.uuid();
    const memberToken = tokenOf(app, id, 1);
    await addCard(tx, { orgId, id, customerId, tokenHash: app.tokens.hashOf(memberToken), now });
    await recordAudit(app, tx, {
      ...{ orgId, at: now, action: 'card.made', subject: 'card', subjectId: id },
    });
    return { id, customerId, memberToken };
  });
};
