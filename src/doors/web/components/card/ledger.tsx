/** The ledger of a card, the latest line first: each with its sale and why. */
import type { Language } from '../../../../kernel/names.ts';
import type { ZoneId } from '../../../../kernel/time.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { COMMA, fullDate, signedFigure } from '../format.ts';
import { translated } from '../names.ts';
import { useMessages, useReader } from '../reader.ts';
import { Folded } from './folded.tsx';
import type { Card, Entry, Mode } from './shapes.ts';
import { useAmount } from './words.ts';

type Messages = (typeof messages)['ar' | 'en'];
type Words = (t: Messages, entry: Entry, language: Language) => string;

const rewardNames: Words = (t, { rewards }, language) =>
  rewards.length === 0
    ? t.spent
    : t.spentOn({ reward: rewards.map((each) => translated(language, each)).join(COMMA[language]) });

const byDirection =
  (given: (t: Messages) => string, taken: (t: Messages) => string): Words =>
  (t, { amount }) =>
    amount < 0 ? taken(t) : given(t);

const WORDS: Readonly<Record<Entry['source'], Words>> = {
  sale: (t) => t.earned,
  redemption: rewardNames,
  void: byDirection(
    (t) => t.givenBackCancelled,
    (t) => t.takenBackCancelled,
  ),
  refund: byDirection(
    (t) => t.givenBackRefunded,
    (t) => t.takenBackRefunded,
  ),
  birthday: (t) => t.birthday,
  win_back: (t) => t.winBack,
  manual: (t) => t.byShop,
  merge: byDirection(
    (t) => t.merged,
    (t) => t.movedAway,
  ),
  sync: (t) => t.atTill,
};

interface EntryProps {
  readonly entry: Entry;
  readonly zone: ZoneId;
}

const EntryLine = ({ entry, zone }: EntryProps) => {
  const t = useMessages(messages);
  const reader = useReader();
  const amountOf = useAmount(entry.mode);
  return (
    <li class={entry.amount < 0 ? 'entry' : 'entry gain'}>
      <span class="what">
        <bdi>{WORDS[entry.source](t, entry, reader.language)}</bdi>
        {entry.amount >= 0 && entry.shortfall > 0 && (
          <small>{t.notAdded({ amount: amountOf(entry.shortfall) })}</small>
        )}
        {entry.note !== null && (
          <small>
            <bdi>{entry.note}</bdi>
          </small>
        )}
        <small class="muted">
          <time dateTime={entry.at}>{fullDate(reader, zone, Date.parse(entry.at))}</time>
          {entry.sale !== null && (
            <>
              {' · '}
              <span class="sale">
                {t.orderOf} <bdi dir="ltr">{entry.sale.reference}</bdi>
              </span>
            </>
          )}
        </small>
      </span>
      <b class="amount">
        <bdi>{signedFigure(reader, entry.amount)}</bdi>
      </b>
    </li>
  );
};

const SHOWN = 5;

interface LedgerProps {
  readonly card: Card;
  readonly zone: ZoneId;
}

const Entries = ({ entries, zone }: Pick<Card, 'entries'> & Pick<LedgerProps, 'zone'>) => {
  const t = useMessages(messages);
  return (
    <Folded shown={SHOWN} more={t.older}>
      {entries.map((entry) => (
        <EntryLine key={entry.id} {...{ entry, zone }} />
      ))}
    </Folded>
  );
};

/** The card may have counted something else before, which the balance has no part of. */
export const Ledger = ({ card: { entries, has_older_entries: hasOlder, mode }, zone }: LedgerProps) => {
  const t = useMessages(messages);
  const earlier = entries.filter((entry) => entry.mode !== mode);
  const ofBalance = entries.filter((entry) => entry.mode === mode);
  const titles: Readonly<Record<Mode, string>> = { points: t.earlierVisits, visits: t.earlierPoints };
  return (
    <section class="card" aria-labelledby="ledger">
      <h2 id="ledger">{t.ledger}</h2>
      {ofBalance.length === 0 && <p class="muted">{t.noEntries}</p>}
      <Entries entries={ofBalance} zone={zone} />
      {earlier.length > 0 && (
        <section class="earlier" aria-labelledby="earlier-balance">
          <h3 id="earlier-balance">{titles[mode]}</h3>
          <p class="muted small">{t.earlierHint}</p>
          <Entries entries={earlier} zone={zone} />
        </section>
      )}
      {hasOlder && <p class="muted small">{t.olderKept}</p>}
    </section>
  );
};
