import type { App } from '../../platform/app/app.ts';
import type { EventTally } from '../../platform/app/event-tally.ts';
import { requestOtp, verifyOtp } from './otp.ts';

export const handlers = (app: App, tally: EventTally) => ({
  requestOtp: requestOtp(app),
  verifyOtp: verifyOtp(app, tally),
});
