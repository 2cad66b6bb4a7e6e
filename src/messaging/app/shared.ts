export { markOwnerKnown } from '../store/guest-phone.ts';
export { addToOutbox, dropMessagesAbout } from '../store/outbox.ts';
export { activeTargets } from '../store/webhook.ts';
