import Type from 'typebox';
import { DateTime, Int32, optionalNullable, Text, UuidText, Word } from '../../platform/contract/scalars.ts';

/** Shapes, CustomerAddress. */
export const CustomerAddress = Type.Object({
  id: UuidText(),
  customer_id: UuidText(),
  channel: Word(['in_mall', 'outside', 'umbrella']),
  use_count: Int32({ minimum: 1 }),
  last_used_at: DateTime(),
  created_at: DateTime(),
  address_line: optionalNullable(Text()),
  delivery_notes: optionalNullable(Text()),
  floor: optionalNullable(Text()),
  label: optionalNullable(Text()),
  landmark: optionalNullable(Text()),
  place_name: optionalNullable(Text()),
  unit_number: optionalNullable(Text()),
  branch_id: optionalNullable(UuidText()),
  delivery_zone_id: optionalNullable(UuidText()),
  lat: optionalNullable(Type.Number({ format: 'double' })),
  lng: optionalNullable(Type.Number({ format: 'double' })),
});
