import type { App } from '../../platform/app/app.ts';
import type { EventAggregator } from '../../platform/app/event-aggregator.ts';
import { requestOtp, verifyOtp } from './otp.ts';

export const handlers = (app: App, tally: EventAggregator) => ({
  requestOtp: requestOtp(app),
  verifyOtp: verifyOtp(app, tally),
});
