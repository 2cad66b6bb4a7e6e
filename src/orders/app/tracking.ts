import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/tracking.ts';
import type { DeliveryTracking, TrackedPart } from '../contract/tracking.ts';
import { branchScope, orderScope, shopScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { codeInId } from '../../kernel/shop-code.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import type { CartLine, CartPart } from '../domain/order.ts';
import { trackingView, redactsAt, type TrackedOrder } from '../domain/tracking.ts';
import { trackedOrder } from '../store/tracking.ts';
import { shopOf } from '../../shops/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';

const isoOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoInstant(instant));

const extrasOf = ({ addons = [], optionals = [] }: Pick<CartLine, 'addons' | 'optionals'>) =>
  [...addons, ...optionals].map(({ name, name_translations, quantity = 1 }) => ({
    ...{ name, name_translations, quantity },
  }));

const partReply = (part: CartPart): Static<typeof TrackedPart> => ({
  name: part.name,
  name_translations: part.name_translations,
  size_label: part.size_label,
  size_translations: part.size_translations,
  quantity: part.quantity,
  extras: extrasOf(part),
});

const trackingReply = (order: TrackedOrder): Static<typeof DeliveryTracking> => ({
  id: order.id,
  org_id: order.orgId,
  org_slug: order.slug,
  org_name: order.shopName,
  org_name_translations: order.shopNameTranslations,
  branch_id: order.branchId,
  branch_name: order.branchName,
  branch_name_translations: order.branchNameTranslations,
  timezone: order.zone,
  channel: order.channel,
  status: order.status,
  created_at: isoInstant(order.createdAt),
  estimated_prep_minutes: order.basePrepMinutes + order.extraPrepMinutes,
  subtotal: order.subtotal,
  delivery_fee: order.deliveryFee,
  discount_amount: order.discountAmount,
  tax_amount: order.taxAmount,
  tax_rate_applied: Number(order.taxRate),
  tax_inclusive: order.taxInclusive,
  total: order.total,
  customer_name: order.customerName,
  address_line: order.address.addressLine,
  floor: order.address.floor,
  unit_number: order.address.unitNumber,
  place_name: order.address.placeName,
  delivery_ref: order.deliveryRef,
  payment_method_hint: order.paymentMethodHint,
  cancel_reason: order.cancelReason?.text ?? null,
  cancel_reason_translations: order.cancelReason?.translations ?? {},
  confirmed_at: isoOrNull(order.stepTimes.confirmed),
  preparing_at: isoOrNull(order.stepTimes.preparing),
  ready_at: isoOrNull(order.stepTimes.ready),
  out_for_delivery_at: isoOrNull(order.stepTimes.out_for_delivery),
  delivered_at: isoOrNull(order.stepTimes.delivered),
  cancelled_at: isoOrNull(order.stepTimes.cancelled),
  rejected_at: isoOrNull(order.stepTimes.rejected),
  rewards: order.rewards.map(({ name, name_translations, units, cost }) => ({
    ...{ name, name_translations, units, cost },
  })),
  loyalty: order.loyalty,
  items: order.lines.map((line) => ({
    name: line.name,
    name_translations: line.name_translations,
    size_label: line.size_label,
    size_translations: line.size_translations ?? {},
    quantity: line.quantity,
    line_total: line.line_total,
    ...(line.reward_units === undefined ? {} : { reward_units: line.reward_units }),
    extras: extrasOf(line),
    ...(line.combo == null ? {} : { parts: line.combo.parts.map(partReply) }),
  })),
});

/** Null: no shop has it. Ids of older builds carry no shop, and are in the locator. */
const shopOfOrder = ({ shopCodes }: App, tx: Kysely<Database>, id: Uuid): Promise<Uuid | null> => {
  const code = codeInId(id);
  return code === null ? shopOf(tx, id, 'order') : shopCodes.shopOf(tx, code);
};

/** GET /public/delivery-orders/{id}/track. An unknown id costs one look-up. */
export const trackOrder =
  (app: App) =>
  ({
    path,
  }: {
    path: PathOf<typeof contract.trackOrder>;
  }): Promise<Answer<Static<typeof DeliveryTracking>>> =>
    app.db.snapshot(async (tx) => {
      const orgId = await shopOfOrder(app, tx, path.id);
      const order = orgId === null ? null : await trackedOrder(tx, orgId, path.id);
      if (order === null) throw new Refusal('NOT_FOUND');
      const version = await versionOf(tx, order.orgId);
      const now = app.clock.now();
      return {
        body: trackingReply(trackingView(order, now)),
        orgId: order.orgId,
        scopes: [shopScope, branchScope(order.branchId), orderScope(order.id)],
        version,
        validUntil: redactsAt(order, now),
      };
    });
