import { ticketAppliers } from '../../floor/app/replay/events.ts';
import { voidsOfTill } from '../../floor/app/void.ts';
import type { App } from '../../platform/app/app.ts';
import type { Scheduler } from '../../platform/app/scheduler.ts';
import { createRecordedSales } from '../../pricing/app/recorded-sale.ts';
import { saleAppliers } from '../../sales/app/replay/events.ts';
import type { EventAppliers } from '../../sync/app/replay/apply-event.ts';

interface ApplierParts {
  readonly app: App;
  readonly scheduler: Scheduler;
}

/** How the events of devices are recorded, by kind. */
export const eventAppliers = ({ app, scheduler }: ApplierParts): EventAppliers => {
  const parts = { app, scheduler, recorded: createRecordedSales(), voidsOf: voidsOfTill };
  return { ...saleAppliers(parts), ...ticketAppliers(parts) };
};
