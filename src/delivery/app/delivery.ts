import type { Static } from 'typebox';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/delivery.ts';
import {
  deliveryOf,
  NEAREST_ROAD_METERS,
  type Delivery,
  type DeliveryTerms,
  type Distance,
} from '../domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../../kernel/geo.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Branch, OnlineChannel } from '../../shops/domain/shop.ts';
import { deliveryTermsOf, cacheDistance, cachedDistance, type DeliveryRoute } from '../store/delivery.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { taxPolicyReply } from '../../shops/app/shop.ts';

export type DeliveryParts = Pick<App, 'db' | 'clock' | 'roads'>;

/** Decisions 3. */
export const deliveryReply = (delivery: Delivery): Static<typeof contract.QuotedDelivery> => {
  const nothing = { zone_id: null, distance_meters: null, fee: null };
  switch (delivery.status) {
    case 'ok': {
      const { status, zoneId, distance, fee } = delivery;
      return { status, zone_id: zoneId, distance_meters: distance?.meters ?? null, fee };
    }
    case 'out_of_range':
      return { ...nothing, status: delivery.status, distance_meters: delivery.distanceMeters };
    case 'unavailable':
      return { ...nothing, status: delivery.status };
  }
};

// ── Distance ────────────────────────────────────────────────────────────────────────────────────

/** Null: the branch has no coordinates. */
export const routeTo = (
  { orgId, id: branchId, lat, lng }: Pick<Branch, 'orgId' | 'id' | 'lat' | 'lng'>,
  to: GeoPoint,
): DeliveryRoute | null =>
  lat === null || lng === null ? null : { orgId, branchId, from: { lat, lng }, to };

/**
 * Road distance, else great circle; either is cached for 24 hours, so a quote and its order agree even if the
 * routing server fails or recovers in between (Decisions 8, Fee). A place beyond reach even by a straight
 * road is not looked up. May call the routing server: not inside a transaction.
 */
export const measureDistance = async (
  { db, clock, roads }: DeliveryParts,
  route: DeliveryRoute,
  terms: DeliveryTerms,
): Promise<Distance> => {
  const straight = metersBetween(route.from, route.to);
  const greatCircle: Distance = { meters: straight, source: 'haversine' };
  const shortest: Distance = { meters: Math.max(0, straight - 2 * NEAREST_ROAD_METERS), source: 'osrm' };
  if (deliveryOf('outside', terms, route.to, shortest).status === 'out_of_range') return greatCircle;
  const meters = await roads.meters(route.from, route.to);
  const distance: Distance = meters === null ? greatCircle : { meters, source: 'osrm' };
  return cacheDistance(db.kysely, route, distance, clock.now());
};

/** Cached or measured. Null: the branch has no coordinates. */
export const distanceTo = async (
  parts: DeliveryParts,
  branch: Pick<Branch, 'orgId' | 'id' | 'lat' | 'lng'>,
  terms: DeliveryTerms,
  to: GeoPoint,
): Promise<Distance | null> => {
  const route = routeTo(branch, to);
  if (route === null) return null;
  return (
    (await cachedDistance(parts.db.kysely, route, parts.clock.now())) ?? measureDistance(parts, route, terms)
  );
};

interface Offered {
  readonly branch: Branch;
  readonly terms: DeliveryTerms;
}

/** Only `outside` is measured, and needs `place`. */
export const deliveryTo = async (
  parts: DeliveryParts,
  { branch, terms }: Offered,
  channel: OnlineChannel,
  place: GeoPoint | null,
): Promise<{ readonly delivery: Delivery; readonly distance: Distance | null }> => {
  const isMeasured = channel === 'outside' && place !== null;
  const distance = isMeasured ? await distanceTo(parts, branch, terms, place) : null;
  return { delivery: deliveryOf(channel, terms, place, distance), distance };
};

// ── Quote ───────────────────────────────────────────────────────────────────────────────────────

interface DeliveryInput {
  readonly path: PathOf<typeof contract.quoteDelivery>;
  readonly query: QueryOf<typeof contract.quoteDelivery>;
}

const MISSING = {
  outside: { problem: 'is required for `outside`', arabic: 'مطلوب للتوصيل' },
  pair: { problem: 'is required with the other of the two', arabic: 'مطلوب مع الآخر' },
} as const;

/** Both coordinates or neither; `outside` needs both. */
const placeIn = ({ channel, lat, lng }: DeliveryInput['query']): GeoPoint | null => {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  const isPlaceless = lat === undefined && lng === undefined;
  if (isPlaceless && channel !== 'outside') return null;
  const missing = isPlaceless ? MISSING.outside : MISSING.pair;
  throw invalidInput(
    ...(lat === undefined ? [{ path: 'lat', ...missing }] : []),
    ...(lng === undefined ? [{ path: 'lng', ...missing }] : []),
  );
};

/** Throws NOT_FOUND and CHANNEL_NOT_OFFERED. */
const offeredAt = ({ db }: DeliveryParts, branchId: string, channel: OnlineChannel): Promise<Offered> =>
  db.snapshot(async (tx) => {
    const branch = await branchById(tx, branchId);
    if (branch === null) throw new Refusal('NOT_FOUND');
    const terms = await deliveryTermsOf(tx, branch.orgId, branch.id, channel);
    if (terms === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
    return { branch, terms };
  });

type QuoteReply = ReplyOf<typeof contract.quoteDelivery>;

/** Decisions 3, DeliveryQuote. */
const deliveryQuoteReply = (
  delivery: Delivery,
  { branch, terms }: Offered,
  distance: Distance | null,
): QuoteReply => {
  const zone = delivery.status === 'ok' ? terms.zones.find(({ id }) => id === delivery.zoneId) : undefined;
  const beyond = delivery.status === 'out_of_range' ? delivery : null;
  const { status, zone_id, distance_meters, fee } = deliveryReply(delivery);
  return {
    status,
    zone_id,
    zone_name: zone?.name ?? null,
    ...(zone === undefined ? {} : { zone_name_translations: zone.nameTranslations }),
    distance_meters,
    distance_source: distance?.source ?? null,
    fee,
    tested_meters: beyond?.testedMeters ?? null,
    max_meters: beyond?.maxMeters ?? null,
    tax_policy: taxPolicyReply(branch),
  };
};

/**
 * GET /public/branches/{id}/delivery-quote. The channel must be offered, but need not be open (Decisions 2).
 */
export const quoteDelivery =
  (parts: DeliveryParts) =>
  async ({ path, query }: DeliveryInput): Promise<QuoteReply> => {
    const place = placeIn(query);
    const offered = await offeredAt(parts, path.id, query.channel);
    const { delivery, distance } = await deliveryTo(parts, offered, query.channel, place);
    return deliveryQuoteReply(delivery, offered, distance);
  };
