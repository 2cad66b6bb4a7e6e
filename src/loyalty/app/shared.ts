/** Statements and use cases that other topics run in their own transactions. */
export { tokenAfterFirstProof } from './card-token.ts';
export { entryReply } from './card-view.ts';
export {
  claimRewards,
  earnFor,
  earningCard,
  giveBackRewards,
  heldMemberCard,
  memberCard,
  paidWithCard,
  payWithCard,
  reverseEarning,
  visitWithCard,
  type EarningCard,
} from './sale.ts';
export { cardInCart, cardOfSale, type CardInCart, type CardOfSale } from '../store/card-in-sale.ts';
export { earningOf } from '../store/ledger.ts';
export { noteVisit, zoneOfShop } from '../store/greeting.ts';
export { programmeOfShop } from '../store/programme.ts';
export { checkVoucher, type VoucherLimit } from './vouchers/check-voucher.ts';
export { notifyWallets } from './wallets/notify.ts';
