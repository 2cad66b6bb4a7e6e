/** Loyalty cards, as far as an order needs them: made by the operator until guests can join by themselves. */
import type { Uuid } from '../../kernel/ids.ts';
import { oneLine } from '../../kernel/freetext.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { addAudit } from '../../platform/store/audit.ts';
import { addCard, cardOf, customerWith } from '../store/card.ts';
import type { App } from '../../platform/app/app.ts';
import { phoneIn } from '../../identity/app/otp.ts';

export interface MadeCard {
  readonly id: Uuid;
  readonly customerId: Uuid;
  /** Whoever holds it holds the card. Told this once. */
  readonly memberToken: string;
}

const PURPOSE = 'member';

/** The token of a card and a generation: made again whenever a pass or a link needs it. */
const tokenOf = ({ tokens }: Pick<App, 'tokens'>, cardId: Uuid, generation: number): string =>
  tokens.written('member', tokens.derived(PURPOSE, `${cardId}\n${generation}`));

/**
 * A card for the person with a phone, who becomes a customer of the shop where there is none yet. Null where they have
 * one already. Throws INVALID_INPUT.
 */
export const makeCard = (
  app: App,
  orgId: Uuid,
  person: { readonly phone: string; readonly name: string },
): Promise<MadeCard | null> => {
  const phone = phoneIn(app, person.phone, 'phone');
  const name = oneLine(person.name);
  if (name === null) throw invalidInput({ path: 'name', problem: 'is required', arabic: 'الاسم مطلوب' });
  return app.db.tx(async (tx) => {
    const now = app.clock.now();
    const customerId = await customerWith(tx, { orgId, id: app.random.uuid(), phone, name, now });
    if ((await cardOf(tx, orgId, customerId)) !== null) return null;
    const id = app.random.uuid();
    const memberToken = tokenOf(app, id, 1);
    await addCard(tx, { orgId, id, customerId, tokenHash: app.tokens.hashOf(memberToken), now });
    await addAudit(tx, {
      ...{ orgId, id: app.random.uuid(), at: now, action: 'card.made', subject: 'card', subjectId: id },
    });
    return { id, customerId, memberToken };
  });
};
