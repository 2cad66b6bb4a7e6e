import { ticketAppliers } from '../../floor/app/replay/events.ts';
import { voidsOfTill } from '../../floor/app/void.ts';
import type { App } from '../../platform/app/app.ts';
import { createRecordedSales } from '../../pricing/app/recorded-sale.ts';
import { saleAppliers } from '../../sales/app/replay/events.ts';
import type { EventAppliers } from '../../sync/app/replay/apply-event.ts';

interface ApplierParts {
  readonly app: App;
}

/** How the events of devices are recorded, by kind. */
export const eventAppliers = ({ app }: ApplierParts): EventAppliers => {
  const parts = { app, recorded: createRecordedSales(), voidsOf: voidsOfTill };
  return { ...saleAppliers(parts), ...ticketAppliers(parts) };
};
