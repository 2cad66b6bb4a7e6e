/** An order as its guest follows it: status, steps, bill, branch. */
import { channels } from '../messages/compiled/channels.ts';
import { track } from '../messages/compiled/track.ts';
import type { Card } from './card/shapes.ts';
import { clockTime, telephone } from './format.ts';
import { Icon, type IconName } from './icon.tsx';
import { textIn } from './names.ts';
import { useMessages, useReader } from './reader.ts';
import { TrackedBill } from './tracked-bill.tsx';
import { hasEnded, type Status, type TrackedOrder } from './tracked-order.ts';

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
  /** The card that this device keeps; the link of an order opens none. */
  readonly card?: Card | null;
}

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
    <TrackedBill order={props.order} card={props.card ?? null} />
    <BranchOfOrder {...props} />
  </div>
);
