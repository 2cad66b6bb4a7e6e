/** What is over the whole screen for a till that has no internet: its code, what it is good for, and until when. */
import { useEffect, useState } from 'preact/hooks';
import type { Client, Reply } from '../../../../client/client.ts';
import type { ZoneId } from '../../../../kernel/time.ts';
import { VOUCHER_MINUTES } from '../../../../loyalty/domain/voucher.ts';
import type { Card } from '../../components/card/shapes.ts';
import { useAmount } from '../../components/card/words.ts';
import { useSecondsLeft } from '../../components/countdown.ts';
import { clockTime, countdown } from '../../components/format.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { rewards as words } from '../../messages/compiled/rewards.ts';
import { voucher as messages } from '../../messages/compiled/voucher.ts';

interface Shown extends Pick<Reply<'getVoucher'>, 'limit' | 'valid_until' | 'qr'> {
  /** By the clock of this device, which may be hours wrong. */
  readonly until: number;
}

interface VoucherProps {
  readonly client: Client;
  readonly card: Card;
  readonly zone: ZoneId;
  /** What a request that failed says to the guest. */
  readonly saidOf: (error: unknown) => string;
}

/** The voucher, or why there is none; neither while it is asked for. */
const useVoucher = ({ client, card: { member_token }, saidOf }: VoucherProps) => {
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const ask = async (): Promise<void> => {
    setShown(null);
    setFailure(null);
    const until = Date.now() + VOUCHER_MINUTES * 60_000;
    try {
      const { body } = await client.getVoucher({ path: { member_token } });
      if (body !== null) setShown({ ...body, until });
    } catch (error) {
      setFailure(saidOf(error));
    }
  };
  useEffect(() => void ask(), []);
  return { shown, failure, ask };
};

interface GoodProps extends Pick<VoucherProps, 'card' | 'zone'> {
  readonly shown: Shown;
  readonly left: number;
}

const Good = ({ card, zone, shown, left }: GoodProps) => {
  const t = useMessages(messages);
  const reader = useReader();
  const amount = useAmount(card.mode);
  const time = clockTime(reader, zone, Date.parse(shown.valid_until));
  return (
    <>
      <svg
        viewBox={`0 0 ${shown.qr.side} ${shown.qr.side}`}
        shape-rendering="crispEdges"
        role="img"
        aria-label={t.code}
      >
        <path d={shown.qr.path} />
      </svg>
      <p class="good">
        <b>{t.limit({ amount: amount(shown.limit, 'object') })}</b>
        <span>{t.until({ time, left: countdown(reader, left) })}</span>
      </p>
      <p class="small">{t.hint}</p>
    </>
  );
};

export const VoucherOnScreen = (props: VoucherProps) => {
  const t = useMessages(messages);
  const { working } = useMessages(words);
  const { shown, failure, ask } = useVoucher(props);
  const left = useSecondsLeft(shown?.until ?? null);
  const isOver = left === 0;
  const said = failure ?? (isOver ? t.over : shown === null ? working : null);
  return (
    <>
      <h2>{t.title}</h2>
      <p role="status" class={said === null ? 'visually-hidden' : ''}>
        {said}
      </p>
      {failure === null && shown !== null && left !== null && !isOver && (
        <Good {...{ card: props.card, zone: props.zone, shown, left }} />
      )}
      {(failure !== null || isOver) && (
        <button type="button" onClick={() => void ask()}>
          {t.again}
        </button>
      )}
    </>
  );
};
