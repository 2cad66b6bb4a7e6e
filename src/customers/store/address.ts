import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { SavedChannel } from '../domain/address.ts';
import type { CustomerAddressTable } from './schema/customer.ts';

export type StoredAddress = Selectable<CustomerAddressTable> & { readonly channel: SavedChannel };

/** Most recently used first. */
export const addressesOf = async (
  db: Kysely<Database>,
  orgId: Uuid,
  customerId: Uuid,
  /** Null: all. */
  limit: number | null = null,
): Promise<StoredAddress[]> => {
  const { rows } = await sql<StoredAddress>`
    select * from customer_address
    where org_id = ${orgId} and customer_id = ${customerId}
    order by last_used_at desc, id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

/** The same place is one row with a use count. */
export interface AddressToSave {
  readonly id: Uuid;
  readonly key: string;
  readonly channel: string;
  readonly branchId: Uuid;
  readonly zoneId: Uuid | null;
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly landmark: string | null;
  readonly placeName: string | null;
  readonly deliveryNotes: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
}

/** Returns the id of the row. `person`: the relation of that name, with the customer's id. */
export const addressUpsert = (
  orgId: Uuid,
  address: AddressToSave,
  person: RawBuilder<unknown>,
  now: Instant,
): RawBuilder<{ id: Uuid }> => sql`
  insert into customer_address (org_id, id, customer_id, channel, branch_id, delivery_zone_id, address_key, address_line,
                                floor, unit_number, landmark, place_name, delivery_notes, lat, lng, last_used_at, created_at)
  select ${orgId}, ${address.id}, person.id, ${address.channel}, ${address.branchId}, ${address.zoneId}::uuid, ${address.key},
         ${address.addressLine}, ${address.floor}, ${address.unitNumber}, ${address.landmark}, ${address.placeName},
         ${address.deliveryNotes}, ${address.lat}::float8, ${address.lng}::float8, ${at(now)}, ${at(now)}
  from ${person}
  on conflict (org_id, customer_id, address_key) do update
  set use_count = customer_address.use_count + 1, last_used_at = excluded.last_used_at,
      branch_id = excluded.branch_id, delivery_zone_id = excluded.delivery_zone_id,
      delivery_notes = excluded.delivery_notes, lat = excluded.lat, lng = excluded.lng
  returning id`;

/** An order went to the address; the id of its row. */
export const saveAddress = async (
  tx: Kysely<Database>,
  {
    orgId,
    customerId,
    address,
  }: { readonly orgId: Uuid; readonly customerId: Uuid; readonly address: AddressToSave },
  now: Instant,
): Promise<Uuid> => {
  const person = sql`(select ${customerId}::uuid as id) as person`;
  const { rows } = await addressUpsert(orgId, address, person, now).execute(tx);
  return rows[0]?.id ?? address.id;
};
