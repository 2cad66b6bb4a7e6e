/** The running bill of a table: its rounds with their states, and what it comes to. */
import type { Language } from '../../../../kernel/names.ts';
import { figure } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { textIn, useName } from '../../components/names.ts';
import { Price } from '../../components/price.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { Sum } from '../../components/totals.tsx';
import type { TableBill } from '../../components/table.ts';
import { table as messages } from '../../messages/compiled/table.ts';

type Round = TableBill['rounds'][number];
type Line = Round['lines'][number];

/** Its size, and what it is made with, as the reader reads them. */
const detailsOf = (language: Language, line: Line): readonly string[] => [
  ...(line.size_label === null ? [] : [textIn(language, line.size_label, line.size_translations)]),
  ...line.modifiers.map((text, place) => textIn(language, text, line.modifier_translations[place])),
];

const BillLine = ({ line, isOut }: { readonly line: Line; readonly isOut: boolean }) => {
  const reader = useReader();
  const nameOf = useName();
  const name = <bdi>{nameOf(line)}</bdi>;
  return (
    <li class="line">
      <span class="count">{figure(reader, line.quantity)} ×</span>
      <span class="what">
        {isOut ? <del>{name}</del> : name}
        {detailsOf(reader.language, line).map((text) => (
          <small key={text} class="muted">
            <bdi>{text}</bdi>
          </small>
        ))}
      </span>
      {!isOut && <Price amount={line.line_total} />}
    </li>
  );
};

const RoundOf = ({ round }: { readonly round: Round }) => {
  const t = useMessages(messages);
  const reader = useReader();
  const isOut = round.state === 'rejected' || round.state === 'void';
  return (
    <li class={`round ${round.state}`}>
      <h3>
        {t.round({ n: figure(reader, round.number) })} <span class="state-word">{t[round.state]}</span>
      </h3>
      <ul class="receipt-lines">
        {round.lines.map((line, index) => (
          <BillLine key={index} line={line} isOut={isOut || line.voided} />
        ))}
      </ul>
    </li>
  );
};

interface RunningBillProps {
  readonly bill: TableBill | null;
  readonly isOffline: boolean;
  readonly isCodeEnded: boolean;
}

export const RunningBill = ({ bill, isOffline, isCodeEnded }: RunningBillProps) => {
  const t = useMessages(messages);
  return (
    <section class="table-bill" aria-labelledby="table-bill-heading">
      <h2 id="table-bill-heading">{t.bill}</h2>
      {isCodeEnded && (
        <p class="fault" role="alert">
          {t.endedCode}
        </p>
      )}
      {isOffline && (
        <p class="notice" role="status">
          <Icon name="offline" />
          {t.offline}
        </p>
      )}
      {bill === null ? (
        <p class="muted">{t.noBill}</p>
      ) : (
        <>
          <ol class="rounds" role="list" aria-live="polite">
            {bill.rounds.map((round) => (
              <RoundOf key={round.number} round={round} />
            ))}
          </ol>
          <dl class="sums">
            <Sum label={t.total} amount={bill.total} isTotal />
            {bill.due !== bill.total && <Sum label={t.due} amount={bill.due} />}
          </dl>
        </>
      )}
    </section>
  );
};
