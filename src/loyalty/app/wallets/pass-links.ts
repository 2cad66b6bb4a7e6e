/** How a card gets into a wallet (Shapes, PassLinks). */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { App } from '../../../platform/app/app.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { WalletTwo } from '../../../ports.ts';
import type { PassLinks } from '../../contract/shapes.ts';
import { savePayloads, type SavePayload } from '../../domain/save-payload.ts';
import { classDigestOf, hasObject } from '../../store/wallets.ts';
import { faceOf, logoUrlOf, type FaceKey, type FaceParts } from './face.ts';

/** The vendor's bound of what a browser's address may have. */
const MAX_JWT = 1_800;

/** The first that is short enough, else the last. */
const linkTo = async (
  wallet: WalletTwo,
  [payload, ...others]: readonly SavePayload[],
): Promise<string | null> => {
  if (payload === undefined) return null;
  const link = await wallet.saveLink(payload);
  const isShort = link.length - link.lastIndexOf('/') - 1 <= MAX_JWT;
  return isShort || others.length === 0 ? link : linkTo(wallet, others);
};

const saveLinkOf = async (
  db: Kysely<Database>,
  app: FaceParts & Pick<App, 'walletTwo'>,
  card: FaceKey,
): Promise<string | null> => {
  const { walletTwo } = app;
  if (walletTwo === null || walletTwo.fault !== null) return null;
  const face = await faceOf(app, card, db);
  if (face === null || face.isVoid) return null;
  const known = {
    hasClass: (await classDigestOf(db, card.orgId)) !== null,
    hasObject: await hasObject(db, card),
  };
  const place = { issuer: walletTwo.issuer, logoUrl: logoUrlOf(app, face.orgId) };
  return linkTo(walletTwo, savePayloads(face, place, known));
};

/**
 * Links are null where their wallet is not configured, or cannot be used now. They have the card as it is now, which may
 * be newer than the reply.
 */
export const passLinksOf = async (
  db: Kysely<Database>,
  app: FaceParts & Pick<App, 'walletOne' | 'walletTwo'>,
  card: FaceKey & { readonly memberToken: string },
): Promise<Static<typeof PassLinks>> => {
  const { walletOne, walletTwo, clock } = app;
  const isOneUsable = walletOne !== null && walletOne.fault(clock.now()) === null;
  return {
    any: walletOne !== null || walletTwo !== null,
    wallet_one_url: isOneUsable ? `/public/loyalty/pass/${card.memberToken}.pkpass` : null,
    wallet_two_url: await saveLinkOf(db, app, card),
  };
};
