import { sql, type Kysely, type RawBuilder } from 'kysely';
import {
  DISTANCE_TTL_MS,
  type DeliveryTerms,
  type DeliveryZone,
  type Distance,
  type DistanceSource,
  type ZoneShape,
} from '../domain/delivery.ts';
import type { Area, GeoPoint } from '../../kernel/geo.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';

interface ZoneRow {
  id: Uuid;
  name: string;
  name_translations: Translations;
  radius_meters: number | null;
  polygon: Area | null;
  fee: number;
}

interface TermsRow {
  flat_fee: number;
  max_distance_meters: number | null;
  road_factor: string;
  zones: ZoneRow[];
}

/** The constraint `delivery_zone_shape` requires exactly one. */
const shapesOf = ({ radius_meters: radiusMeters, polygon }: ZoneRow): readonly ZoneShape[] => {
  if (polygon !== null) return [{ kind: 'polygon', area: polygon }];
  return radiusMeters === null ? [] : [{ kind: 'ring', radiusMeters }];
};

const zonesOf = (row: ZoneRow): readonly DeliveryZone[] =>
  shapesOf(row).map((shape) => ({
    id: row.id,
    name: row.name,
    nameTranslations: row.name_translations,
    fee: row.fee,
    shape,
  }));

/** Null: not offered. Only `outside` has zones. */
export const deliveryTermsOf = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  channel: OnlineChannel,
): Promise<DeliveryTerms | null> => {
  const { rows } = await sql<TermsRow>`
    select c.flat_fee, c.max_distance_meters, b.road_factor,
           coalesce((select json_agg(json_build_object('id', id, 'name', name, 'name_translations', name_translations,
                                                       'radius_meters', radius_meters, 'polygon', polygon, 'fee', fee))
                     from delivery_zone z
                     where c.channel = 'outside' and z.org_id = ${orgId} and z.branch_id = c.branch_id
                       and z.archived_at is null), '[]') as zones
    from branch_channel c
    join branch b on b.org_id = ${orgId} and b.id = c.branch_id
    where c.org_id = ${orgId} and c.branch_id = ${branchId} and c.channel = ${channel} and c.enabled
  `.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    flatFee: row.flat_fee,
    maxMeters: row.max_distance_meters,
    roadFactor: row.road_factor,
    zones: row.zones.flatMap(zonesOf),
  };
};

export interface DeliveryRoute {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** The branch's coordinates; cached distances from others are ignored. */
  readonly from: GeoPoint;
  readonly to: GeoPoint;
}

interface DistanceRow {
  meters: number;
  source: DistanceSource;
}

/** Cache cells: four decimals of a degree, about ten metres. */
const cellOf = ({ lat, lng }: GeoPoint) =>
  ({ lat: sql`${lat.toFixed(4)}::numeric`, lng: sql`${lng.toFixed(4)}::numeric` }) as const;

const cachedQuery = ({ orgId, branchId, from, to }: DeliveryRoute, now: Instant): RawBuilder<DistanceRow> => {
  const { lat, lng } = cellOf(to);
  return sql`
    select meters, source
    from road_distance
    where org_id = ${orgId} and branch_id = ${branchId} and lat = ${lat} and lng = ${lng}
      and from_lat = ${from.lat} and from_lng = ${from.lng} and measured_at > ${at(now - DISTANCE_TTL_MS)}`;
};

/** Null: none within 24 hours. */
export const cachedDistance = async (
  db: Kysely<Database>,
  route: DeliveryRoute,
  now: Instant,
): Promise<Distance | null> => {
  const { rows } = await cachedQuery(route, now).execute(db);
  return rows[0] ?? null;
};

/** `cachedDistance` as a column. */
export const cachedDistanceColumn = (route: DeliveryRoute, now: Instant): RawBuilder<Distance | null> =>
  sql`(select to_json(kept) from (${cachedQuery(route, now)}) kept)`;

/** Keeps an unexpired entry, so concurrent measurements all return the first. */
export const cacheDistance = async (
  db: Kysely<Database>,
  route: DeliveryRoute,
  { meters, source }: Distance,
  now: Instant,
): Promise<Distance> => {
  const { lat, lng } = cellOf(route.to);
  const { rows } = await sql<DistanceRow>`
    insert into road_distance (org_id, branch_id, lat, lng, from_lat, from_lng, meters, source, measured_at)
    values (${route.orgId}, ${route.branchId}, ${lat}, ${lng}, ${route.from.lat}, ${route.from.lng}, ${meters}, ${source}, ${at(now)})
    on conflict (org_id, branch_id, lat, lng)
    do update set meters = excluded.meters, source = excluded.source, measured_at = excluded.measured_at,
                  from_lat = excluded.from_lat, from_lng = excluded.from_lng
    where road_distance.measured_at <= ${at(now - DISTANCE_TTL_MS)}
       or (road_distance.from_lat, road_distance.from_lng) <> (excluded.from_lat, excluded.from_lng)
    returning meters, source
  `.execute(db);
  return rows[0] ?? (await cachedDistance(db, route, now)) ?? { meters, source };
};
