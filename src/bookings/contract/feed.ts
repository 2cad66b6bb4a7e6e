/** A booking in the sync feed (Decisions 13). */
import Type from 'typebox';
import { MaskedPhone, nullable, UuidText } from '../../platform/contract/scalars.ts';
import { StaffBooking } from './staff-bookings.ts';

/** Of the phone its last digits, and of its tables the ids. */
export const FeedBooking = Type.Object({
  ...Type.Omit(StaffBooking, ['guest_phone', 'tables', 'actions']).properties,
  guest_phone: nullable(MaskedPhone()),
  table_ids: Type.Array(UuidText()),
});
