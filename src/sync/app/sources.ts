/** The rows of the sync feed by type: where each topic gives them out. */
import { bookingFeed } from '../../bookings/app/staff/feed.ts';
import { ticketFeed } from '../../floor/app/feed.ts';
import { kitchenFeed } from '../../kitchen/app/feed.ts';
import { menuFeed } from '../../menu/app/feed.ts';
import { orderFeed } from '../../orders/app/feed.ts';
import type { App } from '../../platform/app/app.ts';
import type { FeedSource } from '../../platform/app/feed.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { FeedType } from '../../platform/domain/feed.ts';
import { saleFeed, tillFeed } from '../../sales/app/feed.ts';
import { staffFeed } from '../../staff/app/feed.ts';
import { customerSource, settingsSource, tableSource } from './own-sources.ts';

export interface SyncParts {
  readonly app: App;
}

export type FeedSources = Readonly<Record<FeedType, FeedSource>>;

/** Of one pull. */
export const feedSources = ({ app }: SyncParts, caller: JobContext): FeedSources => ({
  branch_settings: settingsSource(app.voucherKeys),
  staff: staffFeed(app.passwords),
  ...menuFeed(),
  table: tableSource,
  customer: customerSource,
  till: tillFeed,
  booking: bookingFeed,
  open_ticket: ticketFeed({ app }, caller),
  kitchen_ticket: kitchenFeed,
  delivery: orderFeed,
  sale: saleFeed,
});
