/** Balance vouchers of members, as their phones get them. */
import type { Voucher } from '../../../src/loyalty/domain/voucher.ts';
import { signedText, voucherFrom, voucherOf } from '../../../src/loyalty/domain/voucher.ts';
import { newId } from '../database/ids.ts';
import type { ReadOf, World } from '../server/world.ts';
import { shopId } from '../shops/cafe.ts';
import { cardAddress } from './members.ts';
import type { MemberGuest } from './reward-members.ts';

export const voucherOfCard = (
  world: World,
  { memberToken }: Pick<MemberGuest, 'memberToken'>,
): Promise<ReadOf<'getVoucher'>> => world.read('getVoucher', cardAddress(memberToken, '/voucher'));

/** What a text claims to be; throws where it is no voucher. */
export const claimsOf = (text: string): Voucher => {
  const voucher = voucherOf(signedText(text)?.claims);
  if (voucher === null) throw new Error('it is no voucher');
  return voucher;
};

/** Signed by the keys of this world, whatever it claims. */
export const signedVoucher = (
  world: World,
  cardId: string,
  about: Partial<Voucher> = {},
): Promise<string> => {
  const { claims } = voucherFrom(world.now, {
    ...{ id: newId(), orgId: shopId(), cardId, mode: 'points', limit: 100 },
    ...about,
  });
  return world.app.voucherKeys.sign(claims);
};

/** The same voucher with another limit, and the signature of before. */
export const altered = (text: string): string => {
  const [header = '', claims = '', signature = ''] = text.split('.');
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  const more = Buffer.from(JSON.stringify({ ...read, limit: 1_000_000 })).toString('base64url');
  return [header, more, signature].join('.');
};
