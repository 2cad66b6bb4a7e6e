/** Every table with data about a guest, and the fate of each column in an export and an erasure. */
import type { Database } from '../../../src/platform/store/schema.ts';

/**
 * `goes`: exported, and erased. `derived`: erased, and not exported, because it is computed from exported columns.
 * `neutral`: identifies nobody once the other columns are erased.
 */
type Fate = 'goes' | 'derived' | 'neutral';

type Fates = { readonly [T in keyof Database]?: Readonly<Record<keyof Database[T], Fate>> };

/** The compiler demands every column of a listed table, the test every table. */
export const PERSONAL = {
  customer: {
    org_id: 'neutral',
    id: 'neutral',
    phone: 'goes',
    name: 'goes',
    language: 'neutral',
    phone_proven_at: 'goes',
    created_at: 'neutral',
    updated_at: 'neutral',
    erased_at: 'neutral',
  },
  // An erasure deletes the row.
  customer_address: {
    org_id: 'neutral',
    id: 'goes',
    customer_id: 'neutral',
    channel: 'neutral',
    branch_id: 'goes',
    delivery_zone_id: 'goes',
    address_key: 'derived',
    label: 'goes',
    address_line: 'goes',
    floor: 'goes',
    unit_number: 'goes',
    landmark: 'goes',
    place_name: 'goes',
    delivery_notes: 'goes',
    lat: 'goes',
    lng: 'goes',
    use_count: 'goes',
    last_used_at: 'goes',
    created_at: 'goes',
  },
  loyalty_card: {
    org_id: 'neutral',
    id: 'neutral',
    customer_id: 'neutral',
    generation: 'neutral',
    // Only the card holder had the token.
    token_hash: 'derived',
    created_at: 'neutral',
  },
  delivery_order: {
    org_id: 'neutral',
    id: 'neutral',
    branch_id: 'neutral',
    channel: 'neutral',
    status: 'neutral',
    revision: 'neutral',
    // Printed on the receipt.
    delivery_ref: 'neutral',
    customer_name: 'goes',
    address_line: 'goes',
    floor: 'goes',
    unit_number: 'goes',
    landmark: 'goes',
    place_name: 'goes',
    payment_method_hint: 'neutral',
    payment_method: 'neutral',
    cancel_reason: 'neutral',
    base_prep_minutes: 'neutral',
    extra_prep_minutes: 'neutral',
    // The items stay; the guest's notes are erased.
    cart: 'goes',
    subtotal: 'neutral',
    discount_amount: 'neutral',
    service_charge_amount: 'neutral',
    delivery_fee: 'neutral',
    tax_rate_applied: 'neutral',
    tax_inclusive: 'neutral',
    tax_amount: 'neutral',
    total: 'neutral',
    created_at: 'neutral',
    updated_at: 'neutral',
    confirmed_at: 'neutral',
    preparing_at: 'neutral',
    ready_at: 'neutral',
    out_for_delivery_at: 'neutral',
    delivered_at: 'neutral',
    cancelled_at: 'neutral',
    rejected_at: 'neutral',
    language: 'neutral',
    order_id: 'neutral',
    // An erased customer row.
    customer_id: 'neutral',
    address_id: 'goes',
    delivery_zone_id: 'neutral',
    customer_phone: 'goes',
    delivery_notes: 'goes',
    customer_lat: 'goes',
    customer_lng: 'goes',
    road_distance_meters: 'goes',
    distance_source: 'goes',
    discount_id: 'neutral',
    discount_type: 'neutral',
    discount_rate: 'neutral',
    discount_value: 'neutral',
    service_charge_rate_applied: 'neutral',
    otp_verified: 'neutral',
    notified: 'neutral',
    contact_override: 'neutral',
    // Free text of the staff may name the guest.
    cancel_note: 'goes',
    cancel_restocked: 'neutral',
    stock_taken: 'neutral',
    till_id: 'neutral',
    receipt_printed_at: 'neutral',
    erased_at: 'neutral',
  },
  booking: {
    org_id: 'neutral',
    id: 'neutral',
    branch_id: 'neutral',
    service_date: 'neutral',
    status: 'neutral',
    party_size: 'neutral',
    starts_at: 'neutral',
    ends_at: 'neutral',
    guest_name: 'goes',
    notes: 'goes',
    created_at: 'neutral',
    guest_phone: 'goes',
    phone_proven: 'neutral',
    language: 'neutral',
    source: 'neutral',
    // Only the guest had the token.
    manage_hash: 'derived',
    revision: 'neutral',
    seated_at: 'neutral',
    ended_at: 'neutral',
    cancelled_by: 'neutral',
    updated_at: 'neutral',
    is_pinned: 'neutral',
  },
  outbox: {
    org_id: 'neutral',
    id: 'neutral',
    position: 'neutral',
    kind: 'neutral',
    lane: 'neutral',
    subject_id: 'neutral',
    target_id: 'neutral',
    // Shop, reference, minutes, reason: phone and link are added when the message is sent.
    payload: 'neutral',
    status: 'neutral',
    attempts: 'neutral',
    created_at: 'neutral',
    waiting_since: 'neutral',
    next_at: 'neutral',
    leased_until: 'neutral',
    lease_id: 'neutral',
    done_at: 'neutral',
    // A provider's message ids contain the phone; its error texts may.
    provider_id: 'derived',
    delivery: 'neutral',
    last_error: 'derived',
    is_budgeted: 'neutral',
  },
  // An erasure deletes the row.
  order_brake_lift: {
    org_id: 'neutral',
    phone: 'goes',
    until: 'derived',
  },
  audit: {
    org_id: 'neutral',
    id: 'neutral',
    at: 'neutral',
    staff_id: 'neutral',
    device_id: 'neutral',
    branch_id: 'neutral',
    action: 'neutral',
    subject: 'neutral',
    subject_id: 'neutral',
    // Repeats the order's `cancel_note`.
    detail: 'goes',
  },
} as const satisfies Fates;

export type PersonalTable = keyof typeof PERSONAL;

/** Columns that look personal and are neither exported nor erased. */
export const NOT_A_GUESTS: Readonly<Record<string, string>> = {
  'otp_phone.phone': 'a phone’s own, at every shop alike; forgotten by age',
  'guest_phone.phone': 'a phone’s own, at every shop alike; forgotten by age',
  'device_token.phone': 'a phone’s own, at every shop alike; ends after 90 days',
  'staff.email': 'of the staff',
  'loyalty_program.birthday_enabled': 'of the programme',
  'loyalty_program.birthday_reward_amount': 'of the programme',
  'branch.phone': 'the branch’s, shown to everyone',
  'branch.address': 'the branch’s, shown to everyone',
  'branch.address_translations': 'the branch’s, shown to everyone',
  'branch.lat': 'the branch’s, shown to everyone',
  'branch.lng': 'the branch’s, shown to everyone',
  'dated_hours.note': 'the branch’s',
  'road_distance.lat': 'of a place, whoever asked; forgotten by age',
  'road_distance.lng': 'of a place, whoever asked; forgotten by age',
  'road_distance.from_lat': 'the branch’s',
  'road_distance.from_lng': 'the branch’s',
};

/** Names of columns that may hold personal data. */
export const LOOKS_PERSONAL =
  /phone|customer|guest|e_?mail|birth|gender|address|floor|unit_number|landmark|place|note|comment|message|(^|_)(lat|lng)$/;
