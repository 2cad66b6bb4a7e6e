/** The choice of branch and channel for a guest with a card: the last branch first, and why it may not take the order. */
import { render } from 'preact';
import { Icon } from '../../../components/icon.tsx';
import { translated } from '../../../components/names.ts';
import { CARD_PLACE, CHANNEL_ICONS, type ChoiceIslandProps } from '../../../components/order.ts';
import { ReaderContext, useMessages, useReader, type Reader } from '../../../components/reader.ts';
import { channels } from '../../../messages/compiled/channels.ts';
import { member } from '../../../messages/compiled/member.ts';
import { readDevice } from '../../device.ts';
import { clientFor } from '../../start.tsx';
import { readContext, type KnownCard, type OrderNow } from './member-context.ts';

type LastBranch = NonNullable<NonNullable<OrderNow['full']>['last_branch']>;

const LastWay = ({ last }: { readonly last: LastBranch }) => {
  const t = useMessages(member);
  const names = useMessages(channels);
  const { language } = useReader();
  const branch = translated(language, last);
  const channel = names[last.channel];
  if (last.stale)
    return (
      <p class="notice">
        <Icon name="clock" />
        {last.stale_reason === 'channel_closed'
          ? t.channelClosed({ branch, channel })
          : t.branchGone({ branch })}
      </p>
    );
  return (
    <a class="way open" href={`?branch=${last.id}&channel=${last.channel}`}>
      <Icon name={CHANNEL_ICONS[last.channel]} />
      <span>
        <b>{t.asLastTime}</b>
        <small>
          <bdi>{branch}</bdi> · {channel}
        </small>
      </span>
      <Icon name="forward" />
    </a>
  );
};

const ChoiceGreeting = ({ card }: { readonly card: KnownCard }) => {
  const t = useMessages(member);
  const last = card.context.full?.last_branch ?? null;
  return (
    <div class="card greeting">
      <h2>
        <bdi>{t.hello({ name: card.context.first_name })}</bdi>
      </h2>
      <a href={`/card/${card.token}`}>{t.toCard}</a>
      {last !== null && <LastWay last={last} />}
    </div>
  );
};

/** The branch of the last order; of a card whose phone is not proven only its name is known. */
const isLast = (branch: ChoiceIslandProps['branches'][number], { full, last_branch_name: name }: OrderNow) =>
  full?.last_branch == null
    ? name != null && (branch.name === name || Object.values(branch.name_translations ?? {}).includes(name))
    : branch.id === full.last_branch.id;

const putFirst = ({ branches }: ChoiceIslandProps, context: OrderNow): void => {
  const last = branches.find((branch) => isLast(branch, context));
  const entry = last === undefined ? null : document.getElementById(`branch-${last.id}`);
  entry?.parentElement?.prepend(entry);
};

export const greetAtChoice = async (
  reader: Reader,
  props: ChoiceIslandProps,
  token: string,
): Promise<void> => {
  const place = document.getElementById(CARD_PLACE);
  const card = await readContext(clientFor(reader.language), props, token, readDevice()).catch(() => null);
  if (place === null || card === null) return;
  putFirst(props, card.context);
  place.hidden = false;
  render(
    <ReaderContext.Provider value={reader}>
      <ChoiceGreeting card={card} />
    </ReaderContext.Provider>,
    place,
  );
};
