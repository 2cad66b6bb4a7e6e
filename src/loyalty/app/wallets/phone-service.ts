/** What phones with a pass of wallet one ask for (PassKit Web Service Reference). */
import type { Uuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { parseUuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import { addToOutbox } from '../../../messaging/app/shared.ts';
import { pushRow } from '../../../messaging/domain/outbox.ts';
import type { App } from '../../../platform/app/app.ts';
import { demandOpen } from '../../../platform/app/commit.ts';
import type { Log } from '../../../ports.ts';
import { withoutCard } from '../../domain/card-face.ts';
import { phoneLogLine } from '../../domain/phone-log.ts';
import { changedSince, updateTag } from '../../domain/update-tag.ts';
import {
  cardById,
  cardsOnDevice,
  deleteRegistration,
  forgetOldest,
  lockCardForRead,
  saveRegistration,
  type CardOfPass,
} from '../../store/wallets.ts';
import { faceOf } from './face.ts';
import { signedPass, usableWalletOne, type PassParts } from './pass.ts';
import { authorizedToken } from './pass-token.ts';

/** One pass of a phone, as its address names it. */
export interface PassAddress {
  readonly passType: string;
  readonly serial: string;
  readonly authorization: string | undefined;
}

export interface UpdatedPasses {
  readonly lastUpdated: string;
  readonly serialNumbers: readonly Uuid[];
}

export interface LatestPass {
  readonly pass: Buffer;
  /** Whole seconds. */
  readonly lastModified: Instant;
}

export type PhoneServiceParts = PassParts & Pick<App, 'tokens' | 'random'> & { readonly log: Log };

/** Phones that may hold the pass of one card; the oldest yields. */
const MAX_PHONES = 20;
/** Cards that one phone may register. */
const MAX_CARDS = 500;
const SECOND_MS = 1_000;

interface Authorized {
  readonly card: CardOfPass;
  /** Of the token. */
  readonly generation: number;
  readonly token: string;
  /** The token has ended, and the pass of it is void. */
  readonly isFormer: boolean;
}

/** Tokens before the card's that a phone may still hold. */
const FORMER_TOKENS = 5;

const assertPassType = ({ walletOne }: Pick<App, 'walletOne'>, passType: string): void => {
  if (walletOne === null) throw new Refusal('PASS_NOT_AVAILABLE');
  if (walletOne.passType !== passType) throw new Refusal('NOT_FOUND');
};

/** Throws PASS_TOKEN_WRONG alike for an unknown card and for another token. */
const authorized = async (app: PhoneServiceParts, address: PassAddress): Promise<Authorized> => {
  assertPassType(app, address.passType);
  const cardId = parseUuid(address.serial);
  const card = cardId === null ? null : await cardById(app.db.kysely, cardId);
  if (card === null) throw new Refusal('PASS_TOKEN_WRONG');
  for (let before = 0; before <= FORMER_TOKENS && before < card.generation; before += 1) {
    const generation = card.generation - before;
    const token = authorizedToken(app, { cardId: card.cardId, generation }, address.authorization);
    if (token !== null) return { card, generation, token, isFormer: before > 0 };
  }
  throw new Refusal('PASS_TOKEN_WRONG');
};

/**
 * Returns whether the phone is new to the card; a closed card takes none. A phone with a new pass is pushed to once,
 * because the card may have changed since the phone loaded the pass.
 */
const register = async (
  app: PhoneServiceParts,
  address: PassAddress,
  device: string,
  pushToken: string,
): Promise<boolean> => {
  const { card, isFormer } = await authorized(app, address);
  if (isFormer) throw new Refusal('PASS_TOKEN_WRONG');
  return app.db.tx(async (tx) => {
    const now = app.clock.now();
    await demandOpen(tx, card.orgId);
    await lockCardForRead(tx, card);
    const standing = await cardById(tx, card.cardId);
    if (standing?.generation !== card.generation || standing.isClosed) throw new Refusal('PASS_TOKEN_WRONG');
    const { id, before } = await saveRegistration(tx, {
      ...{ ...card, id: app.random.uuid(), device, pushToken, now },
    });
    if (before === card.generation) return false;
    await forgetOldest(tx, card, MAX_PHONES);
    await addToOutbox(tx, [pushRow({ ...card, id: app.random.uuid() }, id)], now);
    return before === null;
  });
};

/** Serial numbers of passes that changed. The phone's id, a secret, authorizes it. Null: no pass has changed. */
const updatedPasses = async (
  app: PhoneServiceParts,
  passType: string,
  device: string,
  tag: string | null,
): Promise<UpdatedPasses | null> => {
  assertPassType(app, passType);
  const cards = await cardsOnDevice(app.db.kysely, device, MAX_CARDS);
  const changed = changedSince(cards, tag);
  if (changed.length === 0) return null;
  return { lastUpdated: updateTag(cards), serialNumbers: changed.map(({ id }) => id) };
};

const wholeSecond = (instant: Instant): Instant => Math.floor(instant / SECOND_MS) * SECOND_MS;

/**
 * Null: not changed since. A pass whose token has ended is void, and its date tells nothing of the card. The date has
 * whole seconds: it is of the second before while a card may change again in it.
 */
const latestPass = async (
  app: PhoneServiceParts,
  address: PassAddress,
  since: Instant | null,
): Promise<LatestPass | null> => {
  const { card, token, isFormer } = await authorized(app, address);
  usableWalletOne(app);
  const now = app.clock.now();
  const face = await faceOf(app, { ...card, generation: null });
  if (face === null) throw new Refusal('PASS_TOKEN_WRONG');
  const before = wholeSecond(now) - SECOND_MS;
  // The owner may have got another token since this one was checked.
  if (isFormer || face.generation !== card.generation)
    return { pass: await signedPass(app, withoutCard(face), token), lastModified: before };
  const changed = wholeSecond(face.changedAt);
  if (since !== null && changed <= since) return null;
  return { pass: await signedPass(app, face, token), lastModified: Math.min(changed, before) };
};

/** The web service of phones. Each function throws PASS_NOT_AVAILABLE, NOT_FOUND for another pass type, PASS_TOKEN_WRONG. */
export const phoneService = (app: PhoneServiceParts) => ({
  register: (address: PassAddress, device: string, pushToken: string) =>
    register(app, address, device, pushToken),
  unregister: async (address: PassAddress, device: string): Promise<void> => {
    const { card, generation } = await authorized(app, address);
    await deleteRegistration(app.db.kysely, { ...card, generation, device });
  },
  updatedPasses: (passType: string, device: string, tag: string | null) =>
    updatedPasses(app, passType, device, tag),
  latestPass: (address: PassAddress, since: Instant | null) => latestPass(app, address, since),
  /** One line of the log for all of them. */
  logged: (lines: readonly string[]): void =>
    app.log.info({ lines: phoneLogLine(lines) }, 'a phone reports about its passes'),
});

export type PhoneService = ReturnType<typeof phoneService>;
