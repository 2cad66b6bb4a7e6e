import type { PathOf, QueryOf, ReplyOf } from '../contract/endpoint.ts';
import type { quoteDelivery as declared } from '../contract/delivery.ts';
import { deliveryOf, type Delivery, type DeliveryTerms, type Distance } from '../domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../domain/geo.ts';
import { invalidInput, Refusal } from '../domain/refusal.ts';
import type { Branch, OnlineChannel } from '../domain/shop.ts';
import type { RoadDistance } from '../ports.ts';
import { deliveryTermsOf, keepDistance, keptDistance } from '../store/delivery.ts';
import { branchById } from '../store/shop.ts';
import type { App } from './app.ts';

/** What delivering is reckoned with. */
export type DeliveryParts = Pick<App, 'db' | 'clock' | 'roads'>;

// ── How far ─────────────────────────────────────────────────────────────────────────────────────

const measured = async (roads: RoadDistance, from: GeoPoint, to: GeoPoint): Promise<Distance> => {
  const meters = await roads.meters(from, to);
  return meters === null
    ? { meters: metersBetween(from, to), source: 'haversine' }
    : { meters, source: 'osrm' };
};

/**
 * How far a place is from a branch: what was kept in the last 24 hours, else by road, else the great circle; kept then,
 * whichever it was, so that a quote and its order agree also when the routing server comes or goes between them
 * (Decisions 8, Fee). Null where the branch has no coordinates. May ask another server: not inside a transaction.
 */
export const distanceTo = async (
  { db, clock, roads }: DeliveryParts,
  { orgId, id: branchId, lat, lng }: Pick<Branch, 'orgId' | 'id' | 'lat' | 'lng'>,
  to: GeoPoint,
): Promise<Distance | null> => {
  if (lat === null || lng === null) return null;
  const way = { orgId, branchId, from: { lat, lng }, to };
  const kept = await keptDistance(db.kysely, way, clock.now());
  return kept ?? keepDistance(db.kysely, way, await measured(roads, way.from, to), clock.now());
};

// ── The quote ───────────────────────────────────────────────────────────────────────────────────

interface DeliveryInput {
  readonly path: PathOf<typeof declared>;
  readonly query: QueryOf<typeof declared>;
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

interface Offered {
  readonly branch: Branch;
  readonly terms: DeliveryTerms;
}

/** An active branch and its terms on a channel; refuses with NOT_FOUND and CHANNEL_NOT_OFFERED. */
const offeredAt = ({ db }: DeliveryParts, branchId: string, channel: OnlineChannel): Promise<Offered> =>
  db.snapshot(async (tx) => {
    const branch = await branchById(tx, branchId);
    if (branch === null) throw new Refusal('NOT_FOUND');
    const terms = await deliveryTermsOf(tx, branch.orgId, branch.id, channel);
    if (terms === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
    return { branch, terms };
  });

type QuoteReply = ReplyOf<typeof declared>;

/** A delivery in the words of the contract (Decisions 3, DeliveryQuote). */
const deliveryReply = (
  delivery: Delivery,
  { branch, terms }: Offered,
  distance: Distance | null,
): QuoteReply => {
  const zone = delivery.status === 'ok' ? terms.zones.find(({ id }) => id === delivery.zoneId) : undefined;
  const beyond = delivery.status === 'out_of_range' ? delivery : null;
  return {
    status: delivery.status,
    zone_id: zone?.id ?? null,
    zone_name: zone?.name ?? null,
    ...(zone === undefined ? {} : { zone_name_translations: zone.nameTranslations }),
    distance_meters: distance?.meters ?? null,
    distance_source: distance?.source ?? null,
    fee: delivery.status === 'ok' ? delivery.fee : null,
    tested_meters: beyond?.testedMeters ?? null,
    max_meters: beyond?.maxMeters ?? null,
    tax_policy: { tax_rate: Number(branch.taxRate), tax_inclusive: branch.taxInclusive },
  };
};

/** GET /public/branches/{id}/delivery-quote. The channel must be offered, not open, as with carts (Decisions 2). */
export const quoteDelivery =
  (parts: DeliveryParts) =>
  async ({ path, query }: DeliveryInput): Promise<QuoteReply> => {
    const { channel } = query;
    const place = placeIn(query);
    const offered = await offeredAt(parts, path.id, channel);
    const distance =
      place === null || channel !== 'outside' ? null : await distanceTo(parts, offered.branch, place);
    return deliveryReply(deliveryOf(channel, offered.terms, place, distance), offered, distance);
  };
