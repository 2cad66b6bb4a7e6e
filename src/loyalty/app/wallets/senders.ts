/** Senders of the outbox: pushes to phones (wallet one) and writes of objects (wallet two). */
import { createHash } from 'node:crypto';
import { deferred, later, obsolete, type Outcome } from '../../../messaging/domain/outbox.ts';
import type { Senders } from '../../../messaging/app/outbox.ts';
import type { App } from '../../../platform/app/app.ts';
import type { WalletTwo } from '../../../ports.ts';
import type { CardFace } from '../../domain/card-face.ts';
import { endedLoyaltyObject, loyaltyClass, loyaltyObject, objectIdOf } from '../../domain/loyalty-object.ts';
import {
  classDigestOf,
  deleteGoneRegistration,
  forgetObject,
  hasObject,
  pushTokenOf,
  saveClassDigest,
  saveObject,
} from '../../store/wallets.ts';
import { faceOf, logoUrlOf, type FaceParts } from './face.ts';

/** The certificate may have expired since the row was added: a renewed one sends it. */
export const pushSender =
  ({ db, clock, walletOne }: Pick<App, 'db' | 'clock' | 'walletOne'>): Senders['wallet_one'] =>
  async ({ orgId, payload: { registration } }) => {
    if (walletOne === null) return obsolete('Apple Wallet is not configured');
    const fault = walletOne.fault(clock.now());
    if (fault !== null) return later(fault);
    const pushToken = await pushTokenOf(db.kysely, orgId, registration);
    if (pushToken === null) return obsolete('the phone has unregistered');
    const outcome = await walletOne.push(pushToken);
    if (outcome.sent || outcome.again !== 'gone') return outcome;
    await deleteGoneRegistration(db.kysely, orgId, registration, pushToken);
    return obsolete(`${outcome.reason}: the phone is unregistered`);
  };

/** Written only where it differs from what was written last. */
const saveClass = async (
  app: FaceParts,
  wallet: WalletTwo,
  face: CardFace,
  signal: AbortSignal,
): Promise<Outcome | null> => {
  const { issuer } = wallet;
  const resource = loyaltyClass(face, { issuer, logoUrl: logoUrlOf(app, face.orgId) });
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest();
  const known = await classDigestOf(app.db.kysely, face.orgId);
  if (known?.equals(digest) === true) return null;
  const outcome = await wallet.saveClass(resource, known !== null, signal);
  if (!outcome.sent) return outcome;
  await saveClassDigest(app.db.kysely, face.orgId, digest, app.clock.now());
  return null;
};

/** Ends the object of the previous token, which a former holder may have saved. Null: there is nothing to send. */
const endObjectBefore = async (
  wallet: WalletTwo,
  face: CardFace,
  signal: AbortSignal,
): Promise<Outcome | null> => {
  if (face.generation === 1) return null;
  const before = { ...face, generation: face.generation - 1 };
  const outcome = await wallet.patchObject(endedLoyaltyObject(before, wallet.issuer), signal);
  return !outcome.sent && outcome.again === 'later' ? outcome : null;
};

/** A save link that was opened before a change may be used after it: then the object is looked for once more. */
const LOOK_AGAIN_MS = 30 * 60_000;

/**
 * For all calls of a row: less than the outbox waits for it, so that no call of a row given up overwrites what the next
 * try has written.
 */
const ROW_LIMIT_MS = 15_000;

const NOT_SAVED = 'nobody has saved this card to Google Wallet';

/**
 * The object as the card is now, whatever it was when the row was added. Of a card that no guest has saved the vendor
 * learns nothing but an id.
 */
export const objectSender =
  (app: FaceParts & Pick<App, 'walletTwo'>): Senders['wallet_two'] =>
  async ({ orgId, subjectId: cardId, createdAt }) => {
    const { walletTwo, db, clock } = app;
    if (walletTwo === null) return obsolete('Google Wallet is not configured');
    if (walletTwo.fault !== null) return later(walletTwo.fault);
    const card = { orgId, cardId };
    const face = await faceOf(app, { ...card, generation: null });
    if (face === null) return obsolete('the card is gone');
    const signal = AbortSignal.timeout(ROW_LIMIT_MS);
    const failed = await saveClass(app, walletTwo, face, signal);
    if (failed !== null) return failed;
    const { issuer } = walletTwo;
    const isKnown = await hasObject(db.kysely, card);
    const failedBefore = isKnown ? null : await endObjectBefore(walletTwo, face, signal);
    if (failedBefore !== null) return failedBefore;
    const isSaved = isKnown || (await walletTwo.hasObject(objectIdOf(issuer, face), signal));
    if (typeof isSaved === 'object') return isSaved;
    const left = createdAt + LOOK_AGAIN_MS - clock.now();
    if (!isSaved) return left > 0 ? deferred(NOT_SAVED, left) : obsolete(NOT_SAVED);
    const outcome = await walletTwo.patchObject(
      face.isVoid ? endedLoyaltyObject(face, issuer) : loyaltyObject(face, issuer),
      signal,
    );
    if (outcome.sent) await saveObject(db.kysely, { ...card, generation: face.generation }, clock.now());
    if (outcome.sent || outcome.again !== 'gone') return outcome;
    await forgetObject(db.kysely, card);
    return obsolete(outcome.reason);
  };
