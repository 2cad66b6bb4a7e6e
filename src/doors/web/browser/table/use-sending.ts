/** Sends a round until its answer is known: a repetition has the same key, and is not taken twice. */
import { useMemo, useState } from 'preact/hooks';
import { ApiError, type Client } from '../../../../client/client.ts';
import type { Reply } from '../../../../client/client.ts';
import type { TableOrderBody } from '../../components/table.ts';
import { isLate, newPending, pendingStore } from '../pending-request.ts';

export type Sending =
  | { readonly kind: 'idle' | 'sending' | 'unknown' }
  | { readonly kind: 'refused'; readonly refusal: ApiError }
  | SentRound;

export interface SentRound {
  readonly kind: 'sent';
  readonly ticket: Reply<'orderAtTable'>;
  /** The round was there already. */
  readonly isRepeated: boolean;
  /** In milliseconds of the page. */
  readonly answeredAt: number;
}

export const useSending = (client: Client, tableId: string) => {
  const [sending, setSending] = useState<Sending>({ kind: 'idle' });
  const pending = useMemo(() => pendingStore<TableOrderBody>(`ahwa-table ${tableId}`), []);
  /** Returns what was ordered; null: it is not known, or was refused. */
  const send = async (body: TableOrderBody): Promise<TableOrderBody | null> => {
    if (sending.kind === 'sending') return null;
    setSending({ kind: 'sending' });
    const before = pending.unanswered();
    const request = before === null || isLate(before) ? newPending(body) : before;
    try {
      const { status, body: ticket } = await pending.send(request, ({ key, body: sent }) =>
        client.orderAtTable({ body: sent, headers: { 'idempotency-key': key } }),
      );
      if (ticket === null) throw new Error('the answer was empty');
      setSending({ kind: 'sent', ticket, isRepeated: status === 200, answeredAt: performance.now() });
      return request.body;
    } catch (fault) {
      const isRefused = fault instanceof ApiError && pending.unanswered() === null;
      setSending(isRefused ? { kind: 'refused', refusal: fault } : { kind: 'unknown' });
      return null;
    }
  };
  return { sending, send };
};
