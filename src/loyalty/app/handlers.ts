import type { App } from '../../platform/app/app.ts';
import { getCard } from './card-view.ts';
import { getJoinInfo } from './join-info.ts';
import { joinLoyalty } from './join.ts';
import { setCardPreferences } from './preferences.ts';
import { getCardQr } from './qr.ts';
import type { SalesOf } from './sale-names.ts';
import { adjustLoyaltyMember } from './staff/adjust-member.ts';
import { findLoyaltyMember, listMemberEntries } from './staff/find-member.ts';
import { joinLoyaltyMember } from './staff/join-member.ts';
import { getVoucher, getVoucherQr } from './vouchers/issue-voucher.ts';
import { getPass } from './wallets/pass.ts';
import './vouchers/parts.ts';
import './wallets/parts.ts';

interface HandlerParts {
  readonly app: App;
  readonly salesOf: SalesOf;
}

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, salesOf }: HandlerParts) => ({
  getJoinInfo: getJoinInfo(app),
  joinLoyalty: joinLoyalty(app),
  getCard: getCard(app, salesOf),
  setCardPreferences: setCardPreferences(app),
  getCardQr: getCardQr(app),
  getVoucher: getVoucher(app),
  getVoucherQr: getVoucherQr(app),
  findLoyaltyMember: findLoyaltyMember(app),
  joinLoyaltyMember: joinLoyaltyMember(app),
  adjustLoyaltyMember: adjustLoyaltyMember(app),
  listMemberEntries: listMemberEntries(app),
  getPass: getPass(app),
});
