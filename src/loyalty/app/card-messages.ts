/** Messages about a card, and who gets them. */
import type { Uuid } from '../../kernel/ids.ts';
import { nameIn } from '../../kernel/names.ts';
import type { Phone } from '../../kernel/phone.ts';
import { prefixOf } from '../../messaging/domain/budget.ts';
import { mayGetCardLink } from '../../messaging/domain/guest-phone.ts';
import { messageRow, obsolete } from '../../messaging/domain/outbox.ts';
import { messageOf } from '../../messaging/domain/template.ts';
import type { RecipientOf } from '../../messaging/app/guest-message.ts';
import { addressLine, spendForAddress } from '../../messaging/app/message-budget.ts';
import { addToOutbox, lockPhone, saveCardLink } from '../../messaging/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, demandOpen } from '../../platform/app/commit.ts';
import { brandOf } from '../../shops/app/shared.ts';
import { lockedCustomerWith, memberOfCustomer } from '../store/card.ts';
import { memberById } from '../store/member.ts';
import { isGreeting } from '../domain/greeting-message.ts';
import { cardChange, issueCard } from './card.ts';
import { liveTokenOfCard, standingToken } from './card-token.ts';
import { parametersOfGreeting } from './greetings.ts';

type Sending = Pick<App, 'messenger' | 'sending' | 'messageBudgets'>;

/** Templates that `marketing_opt_out` does not stop. */
const ASKED_FOR: ReadonlySet<string> = new Set(['card_link']);

/** The token of the card, a new one where the one before has ended: the message goes to the phone alone. */
const tokenToSend = async (app: App, orgId: Uuid, cardId: Uuid): Promise<string | null> => {
  const member = await memberById(app.db.kysely, orgId, cardId);
  const standing = member === null ? null : standingToken(app, member);
  if (member === null || standing !== null) return standing;
  return commitAndPublish(app, (tx, log) =>
    liveTokenOfCard(tx, app, log, { orgId, cardId }, app.clock.now()),
  );
};

/** The phone and the link of a card, read when the message is sent. */
export const cardRecipient =
  (app: App): RecipientOf =>
  async ({ orgId, subjectId, payload }) => {
    const member = await memberById(app.db.kysely, orgId, subjectId);
    if (member === null || member.phone === null)
      return obsolete('the card is gone, or was combined with another');
    if (member.marketingOptOut && !ASKED_FOR.has(payload.template))
      return obsolete('the guest wants no such messages');
    const greeting = isGreeting(payload) ? { orgId, cardId: subjectId, greeting: payload } : null;
    const parameters = greeting === null ? payload.parameters : await parametersOfGreeting(app, greeting);
    if ('again' in parameters) return parameters;
    const token = await tokenToSend(app, orgId, subjectId);
    if (token === null) return obsolete('the card is gone, or was combined with another');
    // Codes and the messages that a guest waits for come before greetings.
    const isWhole = member.phoneProvenAt !== null && greeting === null;
    return { phone: member.phone, link: `${app.baseUrl}/card/${token}`, isWhole, parameters };
  };

const canSend = ({ messenger, sending, messageBudgets }: Sending, phone: Phone): boolean =>
  messenger.isReady &&
  !sending.wasSilent() &&
  (messageBudgets === null || prefixOf(phone, messageBudgets) !== null);

interface CardLink {
  readonly orgId: Uuid;
  /** Of a customer of the shop. */
  readonly phone: Phone;
  /** The client address that asked; null: the staff. */
  readonly client: string | null;
}

/** False: the phone was sent a link within a day. A customer without a card gets one. */
const addLink = (app: App, { orgId, phone }: CardLink): Promise<boolean> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    await demandOpen(tx, orgId);
    if (!mayGetCardLink(await lockPhone(tx, phone, now), now)) return false;
    const customer = await lockedCustomerWith(tx, orgId, phone);
    const brand = await brandOf(tx, orgId);
    if (customer === null || brand === null) return false;
    const owner = { orgId, customerId: customer.id, isUnproven: !customer.isProven };
    const made = await issueCard(tx, app, owner, now);
    if (made !== null) log.add(orgId, cardChange(made.id));
    const cardId = made?.id ?? (await memberOfCustomer(tx, orgId, customer.id))?.cardId;
    if (cardId === undefined) return false;
    const language = customer.language === 'en' ? 'en' : 'ar';
    const message = messageOf('card_link', language, { shop: nameIn(language, brand) });
    const row = messageRow({ orgId, id: app.random.uuid(), subject: 'card', subjectId: cardId }, message);
    await saveCardLink(tx, phone, now);
    await addToOutbox(tx, [row], now);
    return true;
  });

/**
 * Sends the link of their card to a customer who has not proven the phone (Decisions 11, Join): at most one a day and
 * phone, over all shops. The answer is the same for a customer with and without a card.
 */
export const sendCardLink = async (app: App, link: CardLink): Promise<boolean> => {
  if (!canSend(app, link.phone)) return false;
  const { client } = link;
  if (client === null || app.messageBudgets === null) return addLink(app, link);
  const refund = await spendForAddress(app, addressLine(app.messageBudgets, client), client);
  if (refund === null) return false;
  const isSent = await addLink(app, link).catch((fault: unknown) => {
    refund();
    throw fault;
  });
  if (!isSent) refund();
  return isSent;
};
