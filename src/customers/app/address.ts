import type { Static } from 'typebox';
import { isoInstant } from '../../kernel/time.ts';
import type { CustomerAddress } from '../contract/address.ts';
import type { StoredAddress } from '../store/address.ts';

export const addressReply = (address: StoredAddress): Static<typeof CustomerAddress> => ({
  id: address.id,
  customer_id: address.customer_id,
  channel: address.channel,
  use_count: address.use_count,
  last_used_at: isoInstant(address.last_used_at),
  created_at: isoInstant(address.created_at),
  label: address.label,
  address_line: address.address_line,
  floor: address.floor,
  unit_number: address.unit_number,
  landmark: address.landmark,
  place_name: address.place_name,
  delivery_notes: address.delivery_notes,
  branch_id: address.branch_id,
  delivery_zone_id: address.delivery_zone_id,
  lat: address.lat,
  lng: address.lng,
});
