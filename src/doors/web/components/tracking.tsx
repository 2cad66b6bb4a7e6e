/** An order as its guest follows it: status, steps, bill, branch. */
import type { Reply } from '../../../client/client.ts';
import type { Language } from '../../../kernel/names.ts';
import { channels } from '../messages/compiled/channels.ts';
import { track } from '../messages/compiled/track.ts';
import { clockTime, COMMA, figure, percentage, telephone } from './format.ts';
import { Icon, type IconName } from './icon.tsx';
import { textIn, translated } from './names.ts';
import { Price } from './price.tsx';
import { useMessages, useReader } from './reader.ts';
import { Sum } from './totals.tsx';

export type TrackedOrder = Reply<'trackOrder'>;
type Status = TrackedOrder['status'];
type Messages = (typeof track)['ar' | 'en'];
type PlainMessage = { [K in keyof Messages]: Messages[K] extends string ? K : never }[keyof Messages];

/** Why the shown order may be old. */
export type Staleness = 'current' | 'offline' | 'gone';

/** Null where the shop gives none. */
export interface BranchContact {
  readonly phone: string | null;
  readonly directionsUrl: string | null;
}

export interface TrackingProps {
  readonly order: TrackedOrder;
  readonly branch: BranchContact;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
  readonly staleness?: Staleness;
}

const ENDS: ReadonlySet<Status> = new Set<Status>(['delivered', 'cancelled', 'rejected']);
export const hasEnded = ({ status }: TrackedOrder): boolean => ENDS.has(status);

// ── Status ──────────────────────────────────────────────────────────────────────────────────────

const HEADLINES: Readonly<Record<Status, PlainMessage>> = {
  ...{ received: 'received', confirmed: 'confirmed', preparing: 'preparing', ready: 'ready' },
  ...{ out_for_delivery: 'outForDelivery', delivered: 'delivered' },
  ...{ cancelled: 'cancelled', rejected: 'rejected' },
};
const PICKUP_HEADLINES: Partial<Record<Status, PlainMessage>> = {
  ...{ ready: 'readyToCollect', delivered: 'collected' },
};

const ICONS: Readonly<Record<Status, IconName>> = {
  ...{ received: 'clock', confirmed: 'check', preparing: 'clock', ready: 'bag', out_for_delivery: 'bike' },
  ...{ delivered: 'check', cancelled: 'close', rejected: 'close' },
};

const headlineOf = ({ channel, status }: TrackedOrder): PlainMessage =>
  (channel === 'pickup' ? PICKUP_HEADLINES[status] : undefined) ?? HEADLINES[status];

/** In progress: when it will be ready, or that it is late. */
const useEstimate = ({ order, readAt }: TrackingProps): string | null => {
  const t = useMessages(track);
  const reader = useReader();
  if (!['received', 'confirmed', 'preparing'].includes(order.status)) return null;
  const readyAt = Date.parse(order.created_at) + order.estimated_prep_minutes * 60_000;
  return readyAt < readAt ? t.late : t.readyAround({ time: clockTime(reader, order.timezone, readyAt) });
};

const Status = (props: TrackingProps) => {
  const t = useMessages(track);
  const { language } = useReader();
  const { order } = props;
  const estimate = useEstimate(props);
  const reason = textIn(language, order.cancel_reason, order.cancel_reason_translations);
  return (
    <section class="status card">
      <Icon name={ICONS[order.status]} />
      <div role="status">
        <h1>{t[headlineOf(order)]}</h1>
        {reason != null && <p>{reason}</p>}
        {estimate !== null && <p>{estimate}</p>}
        {order.status === 'received' && <p class="muted">{t.waiting}</p>}
      </div>
      <p class="muted small">
        {t.reference} <bdi dir="ltr">{order.delivery_ref}</bdi>
      </p>
    </section>
  );
};

const Stale = ({ order, readAt, staleness = 'current' }: TrackingProps) => {
  const t = useMessages(track);
  const reader = useReader();
  return (
    <div role="status">
      {staleness !== 'current' && (
        <p class="notice">
          <Icon name="offline" />
          {staleness === 'gone' ? t.gone : t.offline({ time: clockTime(reader, order.timezone, readAt) })}
        </p>
      )}
    </div>
  );
};

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────

interface Step {
  readonly status: Status;
  readonly label: PlainMessage;
  readonly at: string | null;
}

const STEP_LABELS: Readonly<Record<Status, PlainMessage>> = {
  ...{ received: 'stepReceived', confirmed: 'stepConfirmed', preparing: 'stepPreparing', ready: 'stepReady' },
  ...{ out_for_delivery: 'stepOut', delivered: 'stepDelivered' },
  ...{ cancelled: 'stepCancelled', rejected: 'stepRejected' },
};

const timeOf = (order: TrackedOrder, status: Status): string | null =>
  (status === 'received' ? order.created_at : order[`${status}_at`]) ?? null;

const PATH: readonly Status[] = [
  'received',
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
  'delivered',
];

/** Of a refused order only what happened, and its end. */
const stepsOf = (order: TrackedOrder): readonly Step[] => {
  const isRefused = order.status === 'cancelled' || order.status === 'rejected';
  const path = PATH.filter((status) => status !== 'out_for_delivery' || order.channel !== 'pickup');
  const statuses = isRefused
    ? [...path.filter((status) => timeOf(order, status) !== null), order.status]
    : path;
  return statuses.map((status) => ({
    status,
    label: status === 'delivered' && order.channel === 'pickup' ? 'stepCollected' : STEP_LABELS[status],
    at: timeOf(order, status),
  }));
};

const Steps = ({ order }: { readonly order: TrackedOrder }) => {
  const t = useMessages(track);
  const reader = useReader();
  const steps = stepsOf(order);
  const current = steps.findIndex(({ status }) => status === order.status);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" class="visually-hidden">
        {t.steps}
      </h2>
      <ol class="steps">
        {steps.map(({ status, label, at }, index) => (
          <li
            key={status}
            class={index < current ? 'done' : index === current ? 'now' : 'later'}
            {...(index === current ? { 'aria-current': 'step' as const } : {})}
          >
            <span>
              {t[label]}
              {index < current && <span class="visually-hidden"> ({t.done})</span>}
            </span>
            {at !== null && <time dateTime={at}>{clockTime(reader, order.timezone, Date.parse(at))}</time>}
          </li>
        ))}
      </ol>
    </section>
  );
};

// ── Items and totals ────────────────────────────────────────────────────────────────────────────

type Item = NonNullable<TrackedOrder['items']>[number];
type Part = NonNullable<Item['parts']>[number];

const useTimes = () => {
  const reader = useReader();
  return (quantity: number): string => `${figure(reader, quantity)} ×`;
};

const sizedName = (language: Language, item: Item | Part): string => {
  const { size_label: size, size_translations: others } = item;
  const name = translated(language, item);
  return size === null ? name : `${name} · ${textIn(language, size, others)}`;
};

const Extras = ({ extras = [] }: { readonly extras: Item['extras'] | undefined }) => {
  const { language } = useReader();
  const times = useTimes();
  if (extras.length === 0) return null;
  return (
    <small class="muted">
      {extras.map((extra, index) => (
        <span key={extra.name}>
          {index > 0 && COMMA[language]}
          {extra.quantity > 1 && `${times(extra.quantity)} `}
          <bdi>{translated(language, extra)}</bdi>
        </span>
      ))}
    </small>
  );
};

const ItemLine = ({ item }: { readonly item: Item }) => {
  const { language } = useReader();
  const times = useTimes();
  return (
    <li class="line">
      <span class="count">{times(item.quantity)}</span>
      <span class="what">
        <bdi>{sizedName(language, item)}</bdi>
        <Extras extras={item.extras} />
        {item.parts?.map((part, index) => (
          <small key={index} class="muted">
            {part.quantity > item.quantity && `${times(part.quantity)} `}
            <bdi>{sizedName(language, part)}</bdi> <Extras extras={part.extras} />
          </small>
        ))}
      </span>
      <Price amount={item.line_total} />
    </li>
  );
};

const Totals = ({ order }: { readonly order: TrackedOrder }) => {
  const t = useMessages(track);
  const reader = useReader();
  const percent = percentage(reader, order.tax_rate_applied);
  const hasTax = order.tax_amount > 0;
  return (
    <dl class="sums">
      <Sum label={t.subtotal} amount={order.subtotal} />
      {order.discount_amount > 0 && <Sum label={t.discount} amount={-order.discount_amount} />}
      {order.channel !== 'pickup' && (
        <Sum
          label={t.fee}
          amount={order.delivery_fee}
          {...(order.delivery_fee === 0 ? { instead: t.free } : {})}
        />
      )}
      {hasTax && !order.tax_inclusive && <Sum label={t.tax({ percent })} amount={order.tax_amount} />}
      <Sum label={t.total} amount={order.total} isTotal />
      {hasTax && order.tax_inclusive && (
        <Sum label={<small class="muted">{t.taxIncluded({ percent })}</small>} amount={order.tax_amount} />
      )}
    </dl>
  );
};

const Bill = ({ order }: { readonly order: TrackedOrder }) => {
  const t = useMessages(track);
  const pay = { cash: t.payCash, card: t.payCard }[order.payment_method_hint ?? ''];
  return (
    <section class="card bill" aria-labelledby="items">
      <h2 id="items">{t.items}</h2>
      <ul>
        {order.items?.map((item, index) => (
          <ItemLine key={index} item={item} />
        ))}
      </ul>
      <Totals order={order} />
      {pay !== undefined && !hasEnded(order) && <p class="muted small">{pay}</p>}
    </section>
  );
};

// ── Where ───────────────────────────────────────────────────────────────────────────────────────

const Destination = ({ order }: { readonly order: TrackedOrder }) => {
  const t = useMessages(track);
  const names = useMessages(channels);
  const places = [
    order.place_name,
    order.address_line,
    order.floor == null ? null : t.floor({ floor: order.floor }),
    order.unit_number == null ? null : t.unit({ unit: order.unit_number }),
  ].filter((part) => part != null);
  return (
    <p>
      {names[order.channel]}
      {places.map((place) => (
        <span key={place}>
          {' · '}
          <bdi>{place}</bdi>
        </span>
      ))}
      <br />
      <span class="muted">
        {t.to} <bdi>{order.customer_name}</bdi>
      </span>
    </p>
  );
};

const BranchOfOrder = ({ order, branch }: TrackingProps) => {
  const t = useMessages(track);
  const { language } = useReader();
  return (
    <section class="card" aria-labelledby="branch">
      <h2 id="branch">
        {t.branch({ branch: textIn(language, order.branch_name, order.branch_name_translations) })}
      </h2>
      <Destination order={order} />
      <p class="actions">
        {branch.phone !== null && (
          <a class="button quiet" href={telephone(branch.phone)}>
            <Icon name="phone" />
            {t.call}
          </a>
        )}
        {branch.directionsUrl !== null && (
          <a class="button quiet" href={branch.directionsUrl} rel="noopener">
            <Icon name="pin" />
            {t.directions}
          </a>
        )}
        {hasEnded(order) && (
          <a class="button" href={`/${order.org_slug}/order`}>
            {t.again}
          </a>
        )}
      </p>
    </section>
  );
};

/** The same on the server and in the browser. */
export const Tracking = (props: TrackingProps) => (
  <div class="tracking">
    <Status {...props} />
    <Stale {...props} />
    <Steps order={props.order} />
    <Bill order={props.order} />
    <BranchOfOrder {...props} />
  </div>
);
