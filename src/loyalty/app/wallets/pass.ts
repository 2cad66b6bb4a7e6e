/** The pass of a card. */
import type { PathOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { App } from '../../../platform/app/app.ts';
import { brandOf } from '../../../shops/app/shared.ts';
import type * as contract from '../../contract/wallet.ts';
import type { CardFace } from '../../domain/card-face.ts';
import { memberOfToken } from '../member.ts';
import { faceOf, type FaceParts } from './face.ts';
import { passPicturesOf } from './pass-pictures.ts';
import { passTokenOf } from './pass-token.ts';

export type PassParts = FaceParts & Pick<App, 'walletOne' | 'pictureRenderer' | 'passPictures'>;

/** Throws PASS_NOT_AVAILABLE. */
export const usableWalletOne = ({ walletOne, clock }: Pick<App, 'walletOne' | 'clock'>) => {
  if (walletOne === null || walletOne.fault(clock.now()) !== null) throw new Refusal('PASS_NOT_AVAILABLE');
  return walletOne;
};

/** `authenticationToken`: the one that the phone knows. Throws NOT_FOUND and PASS_NOT_AVAILABLE. */
export const signedPass = async (
  app: PassParts,
  face: CardFace,
  authenticationToken = passTokenOf(app, face),
): Promise<Buffer> => {
  const walletOne = usableWalletOne(app);
  const brand = await brandOf(app.db.kysely, face.orgId);
  if (brand === null) throw new Refusal('NOT_FOUND');
  const pass = await walletOne.makePass({
    ...{ face, authenticationToken, webServiceUrl: `${app.baseUrl}/wallet` },
    pictures: await passPicturesOf(app, brand, face),
  });
  return Buffer.from(pass);
};

/** GET /public/loyalty/pass/{member_token}.pkpass. */
export const getPass =
  (app: PassParts) =>
  async ({ path }: { path: PathOf<typeof contract.getPass> }): Promise<ReplyOf<typeof contract.getPass>> => {
    const face = await faceOf(app, await memberOfToken(app, path.member_token));
    if (face === null) throw new Refusal('NOT_FOUND');
    return signedPass(app, face);
  };
