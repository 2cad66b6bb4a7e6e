/** The form of the checkout, its faults, and the order that it makes. */
import type {
  CartLine,
  CartQuote,
  OnlineChannel,
  OrderBody,
  OrderBranch,
  RewardClaim,
} from '../../components/order.ts';
import type { order } from '../../messages/compiled/order.ts';
import type { Point } from './use-quote.ts';

export type TextField =
  | 'customer_name'
  | 'customer_phone'
  | 'place_name'
  | 'address_line'
  | 'floor'
  | 'unit_number'
  | 'landmark'
  | 'delivery_notes';

export type CheckoutForm = Readonly<Record<TextField, string>> & {
  readonly point: Point | null;
  readonly payment: OrderBody['payment_method_hint'];
  readonly keepsPlace: boolean;
};

/** Changes these fields of the form as it is by then. */
export type OnForm = (changed: Partial<CheckoutForm>) => void;

export const EMPTY_FORM: CheckoutForm = {
  ...{ customer_name: '', customer_phone: '', place_name: '', address_line: '', floor: '' },
  ...{ unit_number: '', landmark: '', delivery_notes: '', point: null, payment: 'cash', keepsPlace: true },
};

/** As kept by the browser. */
export const isPartOfForm = (value: unknown): value is Partial<CheckoutForm> => {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(EMPTY_FORM));
  return Object.entries(value).every(([name, kept]) => typeof kept === typeof fields.get(name));
};

type Messages = (typeof order)['ar' | 'en'];
type PlainMessage = { [K in keyof Messages]: Messages[K] extends string ? K : never }[keyof Messages];

export interface PlaceField {
  readonly field: TextField;
  readonly label: PlainMessage;
  /** What is said when it is empty; null: it may be. */
  readonly missing: PlainMessage | null;
  readonly autocomplete?: 'street-address' | 'address-line2';
}

const FLOOR_AND_UNIT: readonly PlaceField[] = [
  { field: 'floor', label: 'floor', missing: null },
  { field: 'unit_number', label: 'unit', missing: null },
];

export const PLACE_FIELDS: Readonly<Record<OnlineChannel, readonly PlaceField[]>> = {
  pickup: [],
  outside: [
    { field: 'address_line', label: 'address', missing: 'addressMissing', autocomplete: 'street-address' },
    ...FLOOR_AND_UNIT,
    { field: 'landmark', label: 'landmark', missing: null },
  ],
  in_mall: [
    { field: 'place_name', label: 'mallPlace', missing: 'placeMissing' },
    { field: 'floor', label: 'floor', missing: 'floorMissing' },
    { field: 'unit_number', label: 'unit', missing: 'unitMissing' },
  ],
  umbrella: [{ field: 'place_name', label: 'umbrellaPlace', missing: 'placeMissing' }],
};

export const needsLocation = (branch: OrderBranch, channel: OnlineChannel): boolean =>
  channel === 'outside' || (channel === 'in_mall' && branch.in_mall_require_location);

/** By field; `point` for the location. */
export type Faults = Readonly<Record<string, string>>;

export const faultsOf = (
  t: Messages,
  form: CheckoutForm,
  branch: OrderBranch,
  channel: OnlineChannel,
): Faults => {
  const required: readonly { readonly field: TextField; readonly missing: PlainMessage | null }[] = [
    { field: 'customer_name', missing: 'nameMissing' },
    { field: 'customer_phone', missing: 'phoneMissing' },
    ...PLACE_FIELDS[channel],
  ];
  const missing = required.flatMap(({ field, missing: message }) =>
    message !== null && form[field].trim() === '' ? [[field, t[message]] as const] : [],
  );
  const hasPoint = form.point !== null || !needsLocation(branch, channel);
  return Object.fromEntries([...missing, ...(hasPoint ? [] : [['point', t.locationMissing] as const])]);
};

/** The fields of the form that say where an order goes. */
export type Place = Pick<
  OrderBody,
  'address_line' | 'floor' | 'unit_number' | 'landmark' | 'place_name' | 'customer_lat' | 'customer_lng'
>;

export const placeFields = (place: Place) => ({
  address_line: place.address_line ?? '',
  floor: place.floor ?? '',
  unit_number: place.unit_number ?? '',
  landmark: place.landmark ?? '',
  place_name: place.place_name ?? '',
  point:
    place.customer_lat == null || place.customer_lng == null
      ? null
      : { lat: place.customer_lat, lng: place.customer_lng },
});

/** A place that an earlier order went to. */
export interface KnownPlace {
  readonly key: string;
  readonly place: Place;
  /** Why no order can go there now; null: one can. */
  readonly stale: string | null;
}

/** The form that made an order. */
export const formOf = (body: OrderBody): CheckoutForm => ({
  ...placeFields(body),
  customer_name: body.customer_name,
  customer_phone: body.customer_phone,
  delivery_notes: body.delivery_notes ?? '',
  payment: body.payment_method_hint,
  keepsPlace: body.save_address ?? true,
});

const textIn = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** Who orders, beside what was typed. */
export type Proofs = Pick<
  OrderBody,
  'device_token' | 'contact_device_token' | 'member_token' | 'identity_change'
>;

/** What an order costs. */
export interface Price {
  /** Piastres. */
  readonly total: number;
  /** Points or visits, taken off the card. */
  readonly rewardCost: number;
}

/** Null while a place has no price. */
export const priceOf = ({ order_total: total, reward_cost: rewardCost }: CartQuote): Price | null =>
  total === null ? null : { total, rewardCost };

/** The one that the guest has agreed to. */
export const priceIn = ({ quoted_total: total, quoted_reward_cost: rewardCost }: OrderBody): Price | null =>
  total == null ? null : { total, rewardCost: rewardCost ?? 0 };

export interface OrderParts {
  readonly branch: OrderBranch;
  readonly channel: OnlineChannel;
  readonly lines: readonly CartLine[];
  readonly form: CheckoutForm;
  readonly proofs: Proofs;
  /** That the card pays for. */
  readonly rewards: readonly RewardClaim[];
  readonly price: Price;
  readonly locale: 'ar' | 'en';
}

const placeIn = ({ form, channel }: OrderParts): Partial<OrderBody> => {
  if (channel === 'pickup') return {};
  const texts = PLACE_FIELDS[channel].flatMap(({ field }) => {
    const text = textIn(form[field]);
    return text === undefined ? [] : [[field, text] as const];
  });
  return {
    ...Object.fromEntries(texts),
    ...(form.point === null ? {} : { customer_lat: form.point.lat, customer_lng: form.point.lng }),
    save_address: form.keepsPlace,
  };
};

export const orderOf = (parts: OrderParts): OrderBody => {
  const { branch, channel, lines, form, proofs, rewards, price, locale } = parts;
  const notes = textIn(form.delivery_notes);
  return {
    branch_id: branch.id,
    channel,
    customer_name: form.customer_name.trim(),
    customer_phone: form.customer_phone.trim(),
    payment_method_hint: form.payment,
    items: [...lines],
    quoted_total: price.total,
    locale,
    ...(notes === undefined ? {} : { delivery_notes: notes }),
    ...placeIn(parts),
    ...(rewards.length === 0 ? {} : { rewards: [...rewards], quoted_reward_cost: price.rewardCost }),
    ...proofs,
  };
};
