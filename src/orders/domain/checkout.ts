/** Who an order is for and where it goes: what each channel needs, and how what was typed is kept (Decisions 8). */
import { oneLine, severalLines } from '../../kernel/freetext.ts';
import type { GeoPoint } from '../../kernel/geo.ts';
import type { CodedFault, Words } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

type Typed = string | null | undefined;

/** The fields of a body as it carries them (Shapes, DeliveryOrderInput), so that a fault's place is a field's name. */
export interface CheckoutInput {
  readonly customer_name: string;
  readonly customer_phone: string;
  readonly address_line?: Typed;
  readonly floor?: Typed;
  readonly unit_number?: Typed;
  readonly landmark?: Typed;
  readonly place_name?: Typed;
  readonly delivery_notes?: Typed;
  readonly customer_lat?: number | null | undefined;
  readonly customer_lng?: number | null | undefined;
}

/** Where an order goes, in words; null: not said. */
export interface DeliveryAddress {
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly landmark: string | null;
  readonly placeName: string | null;
}

export interface Checkout {
  readonly name: string;
  /** As it was typed: `phone.ts` says whether it is one. */
  readonly phone: string;
  readonly address: DeliveryAddress;
  readonly deliveryNotes: string | null;
  readonly point: GeoPoint | null;
}

/** `faults`: everything that is wrong, in the order of the fields. */
export type CheckoutResult = { readonly checkout: Checkout } | { readonly faults: readonly CodedFault[] };

/** What a branch asks for on a channel. */
export interface CheckoutTerms {
  readonly channel: OnlineChannel;
  /** Off: an order within the mall needs no location. */
  readonly inMallRequireLocation: boolean;
}

// ── What each channel needs ─────────────────────────────────────────────────────────────────────

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

/** What is picked up goes nowhere, so that no address and no location of it is kept. */
const IS_BROUGHT: Readonly<Record<OnlineChannel, boolean>> = {
  outside: true,
  in_mall: true,
  umbrella: true,
  pickup: false,
};

const needsPoint = ({ channel, inMallRequireLocation }: CheckoutTerms): boolean =>
  LOCATION[channel] === 'required' || (LOCATION[channel] === 'unless_switched_off' && inMallRequireLocation);

// ── What is wrong ───────────────────────────────────────────────────────────────────────────────

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

/** Half a location is a slip and none may be a choice, which has a code of its own. */
const pointFaults = (input: CheckoutInput, terms: CheckoutTerms): readonly CodedFault[] => {
  const isThere = (input.customer_lat ?? input.customer_lng ?? null) !== null;
  if (!isThere && needsPoint(terms))
    return [{ path: 'customer_lat', refusal: 'LOCATION_REQUIRED', figures: {} }];
  return [...coordinateFaults(input, 'customer_lat'), ...coordinateFaults(input, 'customer_lng')];
};

const textFaults = (input: CheckoutInput, { channel }: CheckoutTerms): readonly CodedFault[] =>
  (['customer_name', 'customer_phone', ...REQUIRED[channel]] as const)
    .filter((field) => oneLine(input[field]) === null)
    .map((field) => malformed(field, MISSING[field]));

// ── What is kept ────────────────────────────────────────────────────────────────────────────────

const NO_ADDRESS: DeliveryAddress = {
  addressLine: null,
  floor: null,
  unitNumber: null,
  landmark: null,
  placeName: null,
};

const addressOf = (input: CheckoutInput): DeliveryAddress => ({
  addressLine: oneLine(input.address_line),
  floor: oneLine(input.floor),
  unitNumber: oneLine(input.unit_number),
  landmark: oneLine(input.landmark),
  placeName: oneLine(input.place_name),
});

/** Where the guest is, as far as it was said. */
export const pointOf = ({
  customer_lat: lat,
  customer_lng: lng,
}: Pick<CheckoutInput, 'customer_lat' | 'customer_lng'>): GeoPoint | null =>
  typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null;

/**
 * What was typed, as it is kept, or everything that is wrong with it. Blank is absent. Control characters are no reason
 * to refuse a coffee: they become blanks, and what would turn the reading direction of a till goes (`freetext.ts`).
 * Lengths are the schema's. What does not belong to the channel is kept for whoever brings it, save for pickup.
 */
export const readCheckout = (input: CheckoutInput, terms: CheckoutTerms): CheckoutResult => {
  const faults = [...textFaults(input, terms), ...pointFaults(input, terms)];
  const name = oneLine(input.customer_name);
  if (faults.length > 0 || name === null) return { faults };
  const isBrought = IS_BROUGHT[terms.channel];
  const checkout: Checkout = {
    name,
    phone: input.customer_phone,
    address: isBrought ? addressOf(input) : NO_ADDRESS,
    deliveryNotes: severalLines(input.delivery_notes),
    point: isBrought ? pointOf(input) : null,
  };
  return { checkout };
};
