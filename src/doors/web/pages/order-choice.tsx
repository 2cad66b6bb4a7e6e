/** Where and how to order: the branches of a shop with their channels, as links. */
import { ONLINE_CHANNELS, type Branch, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { wayQuery } from '../components/again-address.ts';
import { telephone, whenText } from '../components/format.ts';
import { Icon } from '../components/icon.tsx';
import { textIn, translated } from '../components/names.ts';
import { CARD_PLACE, CHANNEL_ICONS, type OrderBranch } from '../components/order.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { channels } from '../messages/compiled/channels.ts';
import { order } from '../messages/compiled/order.ts';
import { ordering } from '../messages/compiled/ordering.ts';

export const offered = (branch: OrderBranch): readonly OnlineChannel[] =>
  ONLINE_CHANNELS.filter((channel) => branch[`${channel}_enabled`]);

interface OpeningProps {
  readonly branch: OrderBranch;
  readonly channel: OnlineChannel;
  readonly now: number;
}

export const Opening = ({ branch, channel, now }: OpeningProps) => {
  const t = useMessages(ordering);
  const reader = useReader();
  const opensAt = branch[`${channel}_opens_at`];
  if (branch[`${channel}_open_now`]) return <>{t.openNow}</>;
  if (opensAt == null) return <>{t.closed}</>;
  return <>{t.opensAt({ when: whenText(reader, branch.timezone, Date.parse(opensAt), now) })}</>;
};

export interface OrderChoiceProps {
  readonly branches: readonly OrderBranch[];
  /** With their addresses and phones. */
  readonly places: readonly Branch[];
  /** Reference of the earlier order that is ordered again; null: none. */
  readonly again: string | null;
  readonly now: number;
}

const BranchCard = ({ branch, places, again, now }: OrderChoiceProps & { readonly branch: OrderBranch }) => {
  const { language } = useReader();
  const names = useMessages(channels);
  const t = useMessages(order);
  const place = places.find(({ id }) => id === branch.id);
  const address = place === undefined ? null : textIn(language, place.address, place.addressTranslations);
  const phone = place?.phone ?? null;
  return (
    <li class="card" id={`branch-${branch.id}`}>
      <h2>
        <bdi>{translated(language, branch)}</bdi>
      </h2>
      {address !== null && (
        <p class="muted small">
          <bdi>{address}</bdi>
        </p>
      )}
      <ul class="ways">
        {offered(branch).map((channel) => (
          <li key={channel}>
            <a
              class={branch[`${channel}_open_now`] ? 'way open' : 'way'}
              href={`?${wayQuery({ branchId: branch.id, channel, again })}`}
            >
              <Icon name={CHANNEL_ICONS[channel]} />
              <span>
                <b>{names[channel]}</b>
                <small>
                  <Opening {...{ branch, channel, now }} />
                </small>
              </span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
      {phone !== null && (
        <noscript>
          <p class="actions">
            <a class="button quiet" href={telephone(phone)}>
              <Icon name="phone" />
              {t.call}
            </a>
          </p>
        </noscript>
      )}
    </li>
  );
};

export const OrderChoice = (props: OrderChoiceProps) => {
  const t = useMessages(ordering);
  if (props.branches.length === 0)
    return (
      <section class="state">
        <Icon name="clock" />
        <h1>{t.noneTitle}</h1>
        <p>{t.noneHint}</p>
      </section>
    );
  return (
    <div class="order-choice">
      <h1>{t.choose}</h1>
      <div id={CARD_PLACE} class="card-way" hidden />
      <ul class="cards">
        {props.branches.map((branch) => (
          <BranchCard key={branch.id} {...props} branch={branch} />
        ))}
      </ul>
    </div>
  );
};
