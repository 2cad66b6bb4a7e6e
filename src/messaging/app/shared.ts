export { lockPhone, markOwnerKnown, saveCardLink } from '../store/guest-phone.ts';
export {
  addToOutbox,
  dropMessagesAbout,
  hasLeasedRows,
  outboxWriters,
  parkStaleOf,
  replaceInOutbox,
} from '../store/outbox.ts';
export { activeTargets } from '../store/webhook.ts';
