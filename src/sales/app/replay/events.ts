import type { DeviceSaleParts } from './parts.ts';
import { recordRefund } from './refund-event.ts';
import { recordSale } from './sale-event.ts';
import { closeTillOfDevice, moveCashOfDevice, openTillOfDevice } from './till-events.ts';

/** How events of tills, sales and refunds are recorded, by kind. */
export const saleAppliers = (parts: DeviceSaleParts) => ({
  till_open: openTillOfDevice(parts.app),
  till_cash: moveCashOfDevice(parts.app),
  till_close: closeTillOfDevice(parts),
  sale: recordSale(parts),
  refund: recordRefund(parts),
});
