/** Above the menu: a greeting by the first name, the last order, and the proof that fills in the rest. */
import type { Reply } from '../../../../../client/client.ts';
import { COMMA, digitText, figure } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { translated } from '../../../components/names.ts';
import { useMessages, useReader, type Reader } from '../../../components/reader.ts';
import { member } from '../../../messages/compiled/member.ts';
import type { KnownCard } from './member-context.ts';

export type PastOrder = Reply<'pastOrders'>['orders'][number];

/** `2 × Latte`. */
export const lineName = (reader: Reader, line: PastOrder['lines'][number]): string => {
  const name = translated(reader.language, line);
  return line.quantity > 1 ? `${figure(reader, line.quantity)} × ${name}` : name;
};

/** The last digits of a masked phone, read from left to right. */
export const digitsIn = (reader: Reader, { context }: KnownCard): string =>
  `\u2066${digitText(reader, context.phone_hint.replace(/\D/g, ''))}\u2069`;

/** `missing`: the order that the address names is none of the card's. */
export type Again = 'idle' | 'looking' | 'failed' | 'missing';

interface GreetingProps {
  readonly card: KnownCard;
  /** Null: there is none. */
  readonly last: PastOrder | null;
  readonly again: Again;
  readonly onAgain: (order: PastOrder) => void;
  readonly onProve: () => void;
}

const LastOrder = ({ last, again, onAgain }: GreetingProps & { readonly last: PastOrder }) => {
  const t = useMessages(member);
  const reader = useReader();
  return (
    <div class="last-order">
      <p>
        <b>{t.lastOrder}</b>
        <span class="muted">
          {last.lines.map((line, index) => (
            <span key={index}>
              {index > 0 && COMMA[reader.language]}
              <bdi>{lineName(reader, line)}</bdi>
            </span>
          ))}
        </span>
      </p>
      <button
        type="button"
        class="button"
        aria-disabled={again === 'looking'}
        onClick={() => again !== 'looking' && onAgain(last)}
      >
        {again === 'looking' ? t.looking : t.same}
      </button>
      <small class="muted">{t.sameNow}</small>
    </div>
  );
};

export const Greeting = (props: GreetingProps) => {
  const { card, last, again, onProve } = props;
  const t = useMessages(member);
  const reader = useReader();
  return (
    <div class="card greeting">
      <h2>
        <bdi>{t.hello({ name: card.context.first_name })}</bdi>
      </h2>
      <a href={`/card/${card.token}`}>{t.toCard}</a>
      {last !== null && <LastOrder {...props} last={last} />}
      <div role="status">
        {again === 'failed' && <p class="fault small">{t.lookFailed}</p>}
        {again === 'missing' && <p class="fault small">{t.missing}</p>}
      </div>
      {card.proof === null && (
        <p class="prove">
          <button type="button" class="button quiet" onClick={onProve}>
            <Icon name="check" />
            {t.prove}
          </button>
          <small class="muted">{t.proveHint({ digits: digitsIn(reader, card) })}</small>
        </p>
      )}
    </div>
  );
};
