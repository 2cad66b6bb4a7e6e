import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { DeliveryTerms, DeliveryZone, Distance, DistanceSource, ZoneShape } from '../domain/delivery.ts';
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

/** A zone is a ring or a polygon: the constraint `delivery_zone_shape`. */
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

/** On what terms a channel of a branch delivers, in one statement; null where it is not offered. Only `outside` has zones. */
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
                     where c.channel = 'outside' and z.org_id = c.org_id and z.branch_id = c.branch_id
                       and z.archived_at is null), '[]') as zones
    from branch_channel c
    join branch b on b.org_id = c.org_id and b.id = c.branch_id
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

/** A branch, and a place it may deliver to. */
export interface Way {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Where the branch is: one that moves is measured from anew. */
  readonly from: GeoPoint;
  readonly to: GeoPoint;
}

/** How long a distance is kept, so that a quote and its order agree (Decisions 8, Fee). */
export const DISTANCES_KEPT_MS = 24 * 3_600_000;

interface DistanceRow {
  meters: number;
  source: DistanceSource;
}

/** Places are told apart to four decimals of a degree: some ten metres. */
const cellOf = ({ lat, lng }: GeoPoint) =>
  ({ lat: sql`${lat.toFixed(4)}::numeric`, lng: sql`${lng.toFixed(4)}::numeric` }) as const;

const kept = ({ orgId, branchId, from, to }: Way, now: Instant): RawBuilder<DistanceRow> => {
  const { lat, lng } = cellOf(to);
  return sql`
    select meters, source
    from road_distance
    where org_id = ${orgId} and branch_id = ${branchId} and lat = ${lat} and lng = ${lng}
      and from_lat = ${from.lat} and from_lng = ${from.lng} and measured_at > ${at(now - DISTANCES_KEPT_MS)}`;
};

/** The distance that was kept for the way within the last 24 hours; null when there is none. */
export const keptDistance = async (
  db: Kysely<Database>,
  way: Way,
  now: Instant,
): Promise<Distance | null> => {
  const { rows } = await kept(way, now).execute(db);
  return rows[0] ?? null;
};

/** The same as an expression of a statement. */
export const keptDistanceColumn = (way: Way, now: Instant): RawBuilder<Distance | null> =>
  sql`(select to_json(kept) from (${kept(way, now)}) kept)`;

/** Keeps a distance for 24 hours unless one is kept: of several who measured at once, all get the first that was. */
export const keepDistance = async (
  db: Kysely<Database>,
  way: Way,
  { meters, source }: Distance,
  now: Instant,
): Promise<Distance> => {
  const { lat, lng } = cellOf(way.to);
  const { rows } = await sql<DistanceRow>`
    insert into road_distance (org_id, branch_id, lat, lng, from_lat, from_lng, meters, source, measured_at)
    values (${way.orgId}, ${way.branchId}, ${lat}, ${lng}, ${way.from.lat}, ${way.from.lng}, ${meters}, ${source}, ${at(now)})
    on conflict (org_id, branch_id, lat, lng)
    do update set meters = excluded.meters, source = excluded.source, measured_at = excluded.measured_at,
                  from_lat = excluded.from_lat, from_lng = excluded.from_lng
    where road_distance.measured_at <= ${at(now - DISTANCES_KEPT_MS)}
       or (road_distance.from_lat, road_distance.from_lng) <> (excluded.from_lat, excluded.from_lng)
    returning meters, source
  `.execute(db);
  return rows[0] ?? (await keptDistance(db, way, now)) ?? { meters, source };
};
