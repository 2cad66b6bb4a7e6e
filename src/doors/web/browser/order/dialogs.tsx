/** Questions on the way to an order: another price, another person, an answer that was lost. */
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { figure, telephone } from '../../components/format.ts';
import { useName } from '../../components/names.ts';
import { Price } from '../../components/price.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import type { CartQuote } from '../../components/order.ts';
import { order } from '../../messages/compiled/order.ts';
import { Sheet } from '../sheet.tsx';
import type { Doubt } from './placing.ts';
import type { PriceChange } from './use-quote.ts';

// ── Price ───────────────────────────────────────────────────────────────────────────────────────

const CHANGE = 'order-change';

interface ComparedProps {
  readonly label: ComponentChildren;
  readonly before: number;
  readonly now: number;
  /** Else piastres. */
  readonly isOfCard?: boolean;
}

const Compared = ({ label, before, now, isOfCard = false }: ComparedProps) => {
  const [t, reader] = [useMessages(order), useReader()];
  const shown = (amount: number) =>
    isOfCard ? <bdi>{figure(reader, amount)}</bdi> : <Price amount={amount} />;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <span class="visually-hidden">{t.changedBefore} </span>
        <del>{shown(before)}</del> <span class="visually-hidden">{t.changedNow} </span>
        {shown(now)}
      </dd>
    </>
  );
};

type QuotedLine = CartQuote['lines'][number];

/** After deals. */
const netOf = (line: QuotedLine | undefined): number => (line?.line_total ?? 0) - (line?.deal_discount ?? 0);

/** Added to the prices; 0 where it is in them. */
const taxOnTop = (quote: CartQuote): number =>
  quote.tax_inclusive ? 0 : (quote.order_tax_amount ?? quote.tax_amount);

/** Sums of a bill below its lines; their changes and those of the lines make the change of the total. */
const SUMS = [
  { label: 'discount', amount: (quote: CartQuote): number => -quote.discount_amount },
  { label: 'fee', amount: ({ delivery }: CartQuote): number => delivery?.fee ?? 0 },
  { label: 'tax', amount: taxOnTop },
] as const;

interface ChangeDialogProps {
  readonly change: PriceChange;
  readonly acceptLabel: string;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

export const ChangeDialog = ({ change, acceptLabel, onAccept, onClose }: ChangeDialogProps) => {
  const t = useMessages(order);
  const nameOf = useName();
  const { before, now } = change;
  const lines = now.lines.filter((line, index) => netOf(before.lines[index]) !== netOf(line));
  const sums = SUMS.filter(({ amount }) => amount(before) !== amount(now));
  return (
    <Sheet headingId={CHANGE} onClose={onClose} isSmall>
      <h2 id={CHANGE} tabIndex={-1}>
        {t.changedTitle}
      </h2>
      <dl class="sums">
        {lines.map((line) => (
          <div key={line.index} class="sum">
            <Compared
              label={<bdi>{nameOf(line)}</bdi>}
              before={netOf(before.lines[line.index])}
              now={netOf(line)}
            />
          </div>
        ))}
        {sums.map(({ label, amount }) => (
          <div key={label} class="sum">
            <Compared label={t[label]} before={amount(before)} now={amount(now)} />
          </div>
        ))}
        {before.reward_cost !== now.reward_cost && (
          <div class="sum">
            <Compared label={t.rewards} before={before.reward_cost} now={now.reward_cost} isOfCard />
          </div>
        )}
        <div class="sum total">
          <Compared
            label={t.total}
            before={before.order_total ?? before.total}
            now={now.order_total ?? now.total}
          />
        </div>
      </dl>
      <p class="actions">
        <button type="button" class="button wide" onClick={onAccept}>
          {acceptLabel}
        </button>
        <button type="button" class="button quiet wide" onClick={onClose}>
          {t.back}
        </button>
      </p>
    </Sheet>
  );
};

// ── Person ──────────────────────────────────────────────────────────────────────────────────────

const IDENTITY = 'order-identity';

export type IdentityChoice = 'forOther' | 'forMe' | 'withoutCard';

interface IdentityDialogProps {
  readonly name: string;
  readonly phone: string;
  /** Of the device's owner; null: not known. */
  readonly ownPhone: string | null;
  readonly onChoose: (choice: IdentityChoice) => void;
  readonly onClose: () => void;
}

export const IdentityDialog = ({ name, phone, ownPhone, onChoose, onClose }: IdentityDialogProps) => {
  const t = useMessages(order);
  /** Phones are read from left to right. */
  const isolated = (text: string): string => `\u2066${text}\u2069`;
  return (
    <Sheet headingId={IDENTITY} onClose={onClose} isSmall>
      <h2 id={IDENTITY} tabIndex={-1}>
        {t.identityTitle}
      </h2>
      <p>{t.identity}</p>
      <p class="actions">
        <button type="button" class="button wide" onClick={() => onChoose('forOther')}>
          {t.forOther({ name, phone: isolated(phone) })}
        </button>
        <small class="muted">{t.forOtherHint}</small>
        {ownPhone !== null && (
          <button type="button" class="button quiet wide" onClick={() => onChoose('forMe')}>
            {t.forMe({ phone: isolated(ownPhone) })}
          </button>
        )}
        <button type="button" class="button quiet wide" onClick={() => onChoose('withoutCard')}>
          {t.withoutCard}
        </button>
      </p>
    </Sheet>
  );
};

// ── Lost answer ─────────────────────────────────────────────────────────────────────────────────

const DOUBT = 'order-doubt';
const REPEAT_MS = 5_000;

interface DoubtDialogProps {
  readonly doubt: Doubt;
  readonly phone: string | null;
  readonly onRepeat: () => void;
  readonly onSend: () => void;
  readonly onForget: () => void;
}

/** Tries again by itself for a while; it cannot be closed, because another order could be made beside the first. */
export const DoubtDialog = ({ doubt, phone, onRepeat, onSend, onForget }: DoubtDialogProps) => {
  const t = useMessages(order);
  const isLate = doubt === 'late';
  useEffect(() => {
    if (isLate) return;
    const timer = window.setInterval(onRepeat, REPEAT_MS);
    window.addEventListener('online', onRepeat);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', onRepeat);
    };
  });
  return (
    <Sheet headingId={DOUBT} onClose={null} isSmall>
      <h2 id={DOUBT} tabIndex={-1}>
        {isLate ? t.lateTitle : t.unsureTitle}
      </h2>
      <p role="status">{isLate ? t.late : t.unsure}</p>
      <p class="actions">
        {isLate && phone !== null && (
          <a class="button quiet wide" href={telephone(phone)}>
            {t.call}
          </a>
        )}
        <button type="button" class="button wide" onClick={onSend}>
          {isLate ? t.sendNow : t.tryNow}
        </button>
        {isLate && (
          <button type="button" class="button quiet wide" onClick={onForget}>
            {t.doNotSend}
          </button>
        )}
      </p>
    </Sheet>
  );
};
