/** What recording the events of devices needs. */
import type { App } from '../../../platform/app/app.ts';
import type { RecordedSales } from '../../../pricing/app/recorded-sale.ts';
import type { VoidsOf } from '../tills/report.ts';

export interface DeviceSaleParts {
  readonly app: App;
  readonly recorded: RecordedSales;
  readonly voidsOf: VoidsOf;
}
