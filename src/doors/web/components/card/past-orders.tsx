/** What the member has ordered, the latest first, and ordering it again. */
import type { ZoneId } from '../../../../kernel/time.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { againAddress } from '../again-address.ts';
import { figure, fullDate } from '../format.ts';
import { textIn, translated } from '../names.ts';
import { Price } from '../price.tsx';
import { useMessages, useReader } from '../reader.ts';
import { Folded } from './folded.tsx';
import type { PastOrder } from './shapes.ts';

interface OrderProps {
  readonly order: PastOrder;
  readonly zone: ZoneId;
  /** Where it is ordered again; null: nowhere. */
  readonly againAddress: string | null;
  readonly onAgain: (order: PastOrder) => void;
}

const OrderLine = ({ order, zone, againAddress, onAgain }: OrderProps) => {
  const t = useMessages(messages);
  const reader = useReader();
  const { status } = order;
  const ended = status === 'cancelled' ? t.cancelled : status === 'rejected' ? t.rejected : null;
  return (
    <li class="past">
      <p class="small muted">
        <time dateTime={order.placed_at}>{fullDate(reader, zone, Date.parse(order.placed_at))}</time>
        {' · '}
        <bdi>{textIn(reader.language, order.branch_name, order.branch_name_translations)}</bdi>
        {ended !== null && ` · ${ended}`}
      </p>
      <ul>
        {order.lines.map((line, at) => (
          <li key={at}>
            {figure(reader, line.quantity)} × <bdi>{translated(reader.language, line)}</bdi>
          </li>
        ))}
      </ul>
      <p class="foot-line">
        <Price amount={order.total} />
        {againAddress !== null && (
          <a class="button quiet" href={againAddress} onClick={() => onAgain(order)}>
            {t.again}
          </a>
        )}
      </p>
    </li>
  );
};

const SHOWN = 3;

interface PastOrdersProps extends Omit<OrderProps, 'order' | 'againAddress'> {
  readonly orders: readonly PastOrder[];
  readonly slug: string;
  /** Whether the shop takes online orders. */
  readonly takesOrders: boolean;
}

export const PastOrders = ({ orders, slug, takesOrders, ...rest }: PastOrdersProps) => {
  const t = useMessages(messages);
  const addressOf = ({ branch_id: branchId, channel, delivery_ref: again }: PastOrder): string | null =>
    takesOrders ? againAddress({ slug, branchId, channel, again }) : null;
  return (
    <section class="card" aria-labelledby="past-orders">
      <h2 id="past-orders">{t.pastOrders}</h2>
      {orders.length === 0 && <p class="muted">{t.noOrders}</p>}
      <Folded shown={SHOWN} more={t.olderOrders}>
        {orders.map((order) => (
          <OrderLine key={order.id} {...{ ...rest, order }} againAddress={addressOf(order)} />
        ))}
      </Folded>
    </section>
  );
};
