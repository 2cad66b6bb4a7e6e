/** An online order in the sync feed (Decisions 13). */
import Type from 'typebox';
import { MaskedPhone } from '../../platform/contract/scalars.ts';
import { StaffOrder } from './delivery-order.ts';

/** Without the guest's other data, and of the phone its last digits. */
export const FeedOrder = Type.Object({
  ...Type.Omit(StaffOrder, ['customer_id', 'address_id', 'customer_phone']).properties,
  customer_phone: MaskedPhone(),
});
