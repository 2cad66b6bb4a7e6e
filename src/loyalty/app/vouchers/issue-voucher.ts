/** A balance voucher for a till without the server, to whoever holds the card (Decisions 11). */
import type { Uuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { isoInstant, type Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import { qrDrawing, qrSvg } from '../../../platform/app/qr.ts';
import type { PathOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import type * as contract from '../../contract/voucher.ts';
import { nextRewardCost } from '../../domain/progress.ts';
import { voucherFrom, voucherPeriod } from '../../domain/voucher.ts';
import { programmeOfShop } from '../../store/programme.ts';
import { spentOn } from '../../store/voucher.ts';
import { memberOfToken, type Member } from '../member.ts';

type Issued = ReplyOf<typeof contract.getVoucher>;

interface OfCard {
  readonly path: PathOf<typeof contract.getVoucher>;
}

/** The same for every voucher of the card within half an hour; a UUID of version 8, of 122 derived bits. */
const voucherIdOf = ({ tokens }: App, { cardId }: Member, now: Instant): Uuid => {
  const derived = tokens.derived('loyalty voucher', `${cardId}\n${voucherPeriod(now)}`);
  const hex = derived.toString('hex');
  const variant = '89ab'.charAt(parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const issue = async (app: App, { path }: OfCard): Promise<Omit<Issued, 'qr'>> => {
  const member = await memberOfToken(app, path.member_token);
  const programme = await programmeOfShop(app.db.kysely, member.orgId);
  if (programme?.isEnabled !== true) throw new Refusal('LOYALTY_OFF');
  const { mode, offlineLimit } = programme;
  if (offlineLimit === null) throw new Refusal('VOUCHERS_OFF');
  const [balance, cost] = [member[mode], nextRewardCost(programme)];
  if (balance < cost) throw new Refusal('REWARD_UNAVAILABLE', { balance, cost });
  const { orgId, cardId } = member;
  const now = app.clock.now();
  const id = voucherIdOf(app, member, now);
  // Tills take what was spent on the id off its limit, and the balance has it off already.
  const limit = Math.min(balance + (await spentOn(app.db.kysely, orgId, id)), offlineLimit);
  const { claims, expiresAt } = voucherFrom(now, { id, orgId, cardId, mode, limit });
  return {
    voucher: await app.voucherKeys.sign(claims),
    ...{ member_id: cardId, mode, limit, valid_until: isoInstant(expiresAt) },
  };
};

/** GET /public/loyalty/card/{member_token}/voucher. Throws NOT_FOUND, LOYALTY_OFF, VOUCHERS_OFF, REWARD_UNAVAILABLE. */
export const getVoucher =
  (app: App) =>
  async (of: OfCard): Promise<Issued> => {
    const issued = await issue(app, of);
    return { ...issued, qr: qrDrawing(issued.voucher) };
  };

/** GET …/voucher.svg: the same as a QR code. */
export const getVoucherQr =
  (app: App) =>
  async (of: OfCard): Promise<string> =>
    qrSvg((await issue(app, of)).voucher);
