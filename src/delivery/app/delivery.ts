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
import { deliveryTermsOf, keepDistance, keptDistance, type Way } from '../store/delivery.ts';
import { branchById } from '../../shops/store/shop.ts';
import type { App } from '../../platform/app/app.ts';
import { taxPolicyReply } from '../../shops/app/shop.ts';

/** What delivering is reckoned with. */
export type DeliveryParts = Pick<App, 'db' | 'clock' | 'roads'>;

/** What every quote says of a delivery (Decisions 3). */
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

// ── How far ─────────────────────────────────────────────────────────────────────────────────────

/** From a branch to a place; null where the branch has no coordinates. */
export const wayTo = (
  { orgId, id: branchId, lat, lng }: Pick<Branch, 'orgId' | 'id' | 'lat' | 'lng'>,
  to: GeoPoint,
): Way | null => (lat === null || lng === null ? null : { orgId, branchId, from: { lat, lng }, to });

/**
 * How long a way is by road, else as the great circle; kept for 24 hours, whichever it was, so that a quote and its
 * order agree also when the routing server comes or goes between them (Decisions 8, Fee). Where even a straight road
 * would be too long nothing is asked or kept. May ask another server: not inside a transaction.
 */
export const measured = async (
  { db, clock, roads }: DeliveryParts,
  way: Way,
  terms: DeliveryTerms,
): Promise<Distance> => {
  const straight = metersBetween(way.from, way.to);
  const greatCircle: Distance = { meters: straight, source: 'haversine' };
  const shortest: Distance = { meters: Math.max(0, straight - 2 * NEAREST_ROAD_METERS), source: 'osrm' };
  if (deliveryOf('outside', terms, way.to, shortest).status === 'out_of_range') return greatCircle;
  const meters = await roads.meters(way.from, way.to);
  const distance: Distance = meters === null ? greatCircle : { meters, source: 'osrm' };
  return keepDistance(db.kysely, way, distance, clock.now());
};

/** How far a place is from a branch: as it was kept, else measured now. Null where the branch has no coordinates. */
export const distanceTo = async (
  parts: DeliveryParts,
  branch: Pick<Branch, 'orgId' | 'id' | 'lat' | 'lng'>,
  terms: DeliveryTerms,
  to: GeoPoint,
): Promise<Distance | null> => {
  const way = wayTo(branch, to);
  if (way === null) return null;
  return (await keptDistance(parts.db.kysely, way, parts.clock.now())) ?? measured(parts, way, terms);
};

interface Offered {
  readonly branch: Branch;
  readonly terms: DeliveryTerms;
}

/** How an order on a channel reaches a place. Only `outside` is measured; it needs the place. */
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

// ── The quote ───────────────────────────────────────────────────────────────────────────────────

interface DeliveryInput {
  readonly path: PathOf<typeof contract.quoteDelivery>;
  readonly query: QueryOf<typeof contract.quoteDelivery>;
}

const MISSING = {
  outside: { problem: 'is required for `outside`', arabic: 'مطلوب للتوصيل' },
  pair: { problem: 'is required with the other of the two', arabic: 'مطلوب مع الآخر' },
} as const;

/** The place that is asked about: both coordinates or neither, and both for `outside`. */
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

/** An active branch and its terms on a channel; refuses with NOT_FOUND and CHANNEL_NOT_OFFERED. */
const offeredAt = ({ db }: DeliveryParts, branchId: string, channel: OnlineChannel): Promise<Offered> =>
  db.snapshot(async (tx) => {
    const branch = await branchById(tx, branchId);
    if (branch === null) throw new Refusal('NOT_FOUND');
    const terms = await deliveryTermsOf(tx, branch.orgId, branch.id, channel);
    if (terms === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
    return { branch, terms };
  });

type QuoteReply = ReplyOf<typeof contract.quoteDelivery>;

/** A delivery quote in the words of the contract (Decisions 3, DeliveryQuote). */
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

/** GET /public/branches/{id}/delivery-quote. The channel must be offered, not open, as with carts (Decisions 2). */
export const quoteDelivery =
  (parts: DeliveryParts) =>
  async ({ path, query }: DeliveryInput): Promise<QuoteReply> => {
    const place = placeIn(query);
    const offered = await offeredAt(parts, path.id, query.channel);
    const { delivery, distance } = await deliveryTo(parts, offered, query.channel, place);
    return deliveryQuoteReply(delivery, offered, distance);
  };
