/** What recording the events of devices needs. */
import type { App } from '../../../platform/app/app.ts';
import type { Scheduler } from '../../../platform/app/scheduler.ts';
import type { RecordedSales } from '../../../pricing/app/recorded-sale.ts';
import type { VoidsOf } from '../tills/report.ts';

export interface DeviceSaleParts {
  readonly app: App;
  readonly recorded: RecordedSales;
  readonly scheduler: Scheduler;
  readonly voidsOf: VoidsOf;
}
