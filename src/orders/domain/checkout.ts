/** Contact and destination of an order: required fields per channel, and normalization (Decisions 8). */
import { singleLine, multiLine } from '../../kernel/free-text.ts';
import type { GeoPoint } from '../../kernel/geo.ts';
import type { CodedFault, Words } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

type OptionalText = string | null | undefined;

/** Body field names (Shapes, DeliveryOrderInput), so a fault's path is its field. */
export interface CheckoutInput {
  readonly customer_name: string;
  readonly customer_phone: string;
  readonly address_line?: OptionalText;
  readonly floor?: OptionalText;
  readonly unit_number?: OptionalText;
  readonly landmark?: OptionalText;
  readonly place_name?: OptionalText;
  readonly delivery_notes?: OptionalText;
  readonly customer_lat?: number | null | undefined;
  readonly customer_lng?: number | null | undefined;
}

export interface DeliveryAddress {
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly landmark: string | null;
  readonly placeName: string | null;
}

export interface Checkout {
  readonly name: string;
  /** Unparsed: `phone.ts` validates it. */
  readonly phone: string;
  readonly address: DeliveryAddress;
  readonly deliveryNotes: string | null;
  readonly point: GeoPoint | null;
}

/** `faults`: all of them, in field order. */
export type CheckoutResult = { readonly checkout: Checkout } | { readonly faults: readonly CodedFault[] };

export interface CheckoutTerms {
  readonly channel: OnlineChannel;
  /** False: `in_mall` needs no location. */
  readonly inMallRequireLocation: boolean;
}

// ── Required fields ─────────────────────────────────────────────────────────────────────────────

type RequiredField = 'address_line' | 'place_name' | 'floor' | 'unit_number';

const REQUIRED: Readonly<Record<OnlineChannel, readonly RequiredField[]>> = {
  outside: ['address_line'],
  in_mall: ['place_name', 'floor', 'unit_number'],
  umbrella: ['place_name'],
  pickup: [],
};

const LOCATION: Readonly<Record<OnlineChannel, 'required' | 'unless_switched_off' | 'optional'>> = {
  outside: 'required',
  in_mall: 'unless_switched_off',
  umbrella: 'optional',
  pickup: 'optional',
};

/** A pickup order stores no address and no location. */
const IS_DELIVERED: Readonly<Record<OnlineChannel, boolean>> = {
  outside: true,
  in_mall: true,
  umbrella: true,
  pickup: false,
};

const needsPoint = ({ channel, inMallRequireLocation }: CheckoutTerms): boolean =>
  LOCATION[channel] === 'required' || (LOCATION[channel] === 'unless_switched_off' && inMallRequireLocation);

// ── Faults ──────────────────────────────────────────────────────────────────────────────────────

const malformed = (path: string, { en, ar }: Words): CodedFault => ({
  path,
  refusal: 'INVALID_INPUT',
  figures: {},
  problem: en,
  arabic: ar,
});

const MISSING: Readonly<Record<RequiredField | 'customer_name' | 'customer_phone', Words>> = {
  customer_name: { en: 'is required', ar: 'الاسم مطلوب' },
  customer_phone: { en: 'is required', ar: 'رقم الهاتف مطلوب' },
  address_line: { en: 'is required for delivery', ar: 'العنوان مطلوب للتوصيل' },
  place_name: { en: 'is required, so that we know where to bring it', ar: 'اسم المكان مطلوب' },
  floor: { en: 'is required for delivery in the mall', ar: 'الدور مطلوب للتوصيل داخل المول' },
  unit_number: { en: 'is required for delivery in the mall', ar: 'رقم الوحدة مطلوب للتوصيل داخل المول' },
};

type Coordinate = 'customer_lat' | 'customer_lng';

const BOUND: Readonly<Record<Coordinate, number>> = { customer_lat: 90, customer_lng: 180 };
const OTHER: Readonly<Record<Coordinate, Coordinate>> = {
  customer_lat: 'customer_lng',
  customer_lng: 'customer_lat',
};

const coordinateFaults = (input: CheckoutInput, field: Coordinate): readonly CodedFault[] => {
  const [value, bound, other] = [input[field] ?? null, BOUND[field], OTHER[field]];
  if (value === null)
    return (input[other] ?? null) === null
      ? []
      : [malformed(field, { en: `is required with \`${other}\``, ar: 'اكتب خط العرض وخط الطول معًا' })];
  if (Math.abs(value) <= bound) return [];
  return [
    malformed(field, { en: `must be from -${bound} to ${bound}`, ar: `القيمة من -${bound} إلى ${bound}` }),
  ];
};

/** A half location is malformed; a missing one may be deliberate and has its own code. */
const pointFaults = (input: CheckoutInput, terms: CheckoutTerms): readonly CodedFault[] => {
  const isGiven = (input.customer_lat ?? input.customer_lng ?? null) !== null;
  if (!isGiven && needsPoint(terms))
    return [{ path: 'customer_lat', refusal: 'LOCATION_REQUIRED', figures: {} }];
  return [...coordinateFaults(input, 'customer_lat'), ...coordinateFaults(input, 'customer_lng')];
};

const textFaults = (input: CheckoutInput, { channel }: CheckoutTerms): readonly CodedFault[] =>
  (['customer_name', 'customer_phone', ...REQUIRED[channel]] as const)
    .filter((field) => singleLine(input[field]) === null)
    .map((field) => malformed(field, MISSING[field]));

// ── Normalization ───────────────────────────────────────────────────────────────────────────────

const NO_ADDRESS: DeliveryAddress = {
  addressLine: null,
  floor: null,
  unitNumber: null,
  landmark: null,
  placeName: null,
};

const addressOf = (input: CheckoutInput): DeliveryAddress => ({
  addressLine: singleLine(input.address_line),
  floor: singleLine(input.floor),
  unitNumber: singleLine(input.unit_number),
  landmark: singleLine(input.landmark),
  placeName: singleLine(input.place_name),
});

export const pointOf = ({
  customer_lat: lat,
  customer_lng: lng,
}: Pick<CheckoutInput, 'customer_lat' | 'customer_lng'>): GeoPoint | null =>
  typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null;

/**
 * Returns the normalized checkout or all faults. Blank means absent. Control characters become spaces, and
 * bidirectional controls are removed (`free-text.ts`). The schema checks lengths. Except for pickup, fields of
 * other channels are kept for the courier.
 */
export const readCheckout = (input: CheckoutInput, terms: CheckoutTerms): CheckoutResult => {
  const faults = [...textFaults(input, terms), ...pointFaults(input, terms)];
  const name = singleLine(input.customer_name);
  if (faults.length > 0 || name === null) return { faults };
  const isDelivered = IS_DELIVERED[terms.channel];
  const checkout: Checkout = {
    name,
    phone: input.customer_phone,
    address: isDelivered ? addressOf(input) : NO_ADDRESS,
    deliveryNotes: multiLine(input.delivery_notes),
    point: isDelivered ? pointOf(input) : null,
  };
  return { checkout };
};
