export { lockPhone, markOwnerKnown, phoneAnswers, saveCardLink } from '../store/guest-phone.ts';
export { addToOutbox, dropMessagesAbout, replaceInOutbox } from '../store/outbox.ts';
export { parkStaleOf } from '../store/parking.ts';
export { hasLeasedRows, outboxWriters } from '../store/last-messages.ts';
export { activeTargets } from '../store/webhook.ts';
