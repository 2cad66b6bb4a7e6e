/** What a till on Node needs, in one file: the build writes it as `dist/till.js` (`examples/offline-till.mjs` uses it). */
export { ApiError } from '../../client.ts';
export { BranchCopy } from '../branch-copy.ts';
export { createDeviceClient } from '../device-client.ts';
export { TillQuotes } from '../quote.ts';
export { readVoucher } from '../voucher.ts';
export { VoucherUses } from '../voucher-uses.ts';
export { EventQueue } from '../queue/event-queue.ts';
export { localLocks } from '../queue/locks.ts';
export { pullWhenSent } from '../queue/row-gate.ts';
export { openFileStore } from './file-store.ts';
