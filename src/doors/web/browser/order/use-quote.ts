/** The price of a cart, asked for whenever the cart or the place changes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Client } from '../../../../client/client.ts';
import type { CartLine, CartQuote, OnlineChannel, RewardClaim } from '../../components/order.ts';
import { isRefusedRequest } from '../words.ts';

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

export interface QuotedCard {
  readonly token: string;
  /** The device token that proves the phone of the card; null: it is not proven here. */
  readonly proof: string | null;
}

/** Where a cart is priced. */
export type QuotedPlace =
  { readonly branchId: string; readonly channel: OnlineChannel } | { readonly tableId: string };

export interface QuoteQuestion {
  readonly place: QuotedPlace;
  readonly lines: readonly CartLine[];
  readonly point: Point | null;
  readonly hints: boolean;
  /** Null: no card. */
  readonly member: QuotedCard | null;
  /** That the card pays for. */
  readonly rewards: readonly RewardClaim[];
}

export type QuoteState =
  | { readonly status: 'none' | 'asking' | 'failed'; readonly quote: null; readonly refusal: null }
  | { readonly status: 'ready'; readonly quote: CartQuote; readonly refusal: null }
  | { readonly status: 'refused'; readonly quote: null; readonly refusal: ApiError };

export interface PriceChange {
  readonly before: CartQuote;
  readonly now: CartQuote;
}

export interface Quoting {
  readonly state: QuoteState;
  /** The same cart cost something else when it was asked for before; null: no. */
  readonly change: PriceChange | null;
  readonly acceptChange: () => void;
  readonly again: () => void;
}

const EMPTY: QuoteState = { status: 'none', quote: null, refusal: null };

/** In money, with delivery where both have a fee, or on the card. */
const isOtherPrice = (before: CartQuote, now: CartQuote): boolean =>
  before.total !== now.total ||
  before.reward_cost !== now.reward_cost ||
  (before.order_total !== null && now.order_total !== null && before.order_total !== now.order_total);

/** Between two taps on a button. */
const PAUSE_MS = 150;

const quoteAt = (
  client: Client,
  { place, lines, point, hints, member, rewards }: QuoteQuestion,
  signal: AbortSignal,
) =>
  'tableId' in place
    ? client.quoteTableCart({ path: { id: place.tableId }, body: { items: [...lines], hints }, signal })
    : client.quoteCart({
        path: { id: place.branchId },
        body: {
          ...{ items: [...lines], channel: place.channel, hints },
          ...(point === null ? {} : { delivery: point }),
          ...(member === null ? {} : { member_token: member.token, rewards: [...rewards] }),
        },
        ...(member?.proof == null ? {} : { headers: { 'x-device-token': member.proof } }),
        signal,
      });

export const useQuote = (client: Client, question: QuoteQuestion): Quoting => {
  const { lines, point, hints, member, rewards } = question;
  const [state, setState] = useState<QuoteState>(EMPTY);
  const [change, setChange] = useState<PriceChange | null>(null);
  const [times, setTimes] = useState(0);
  const last = useRef<{ readonly key: string; readonly quote: CartQuote } | null>(null);
  const key = JSON.stringify([lines, point, member?.token, member?.proof, rewards]);
  useEffect(() => {
    if (lines.length === 0) {
      setState(EMPTY);
      return undefined;
    }
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const { body: quote } = await quoteAt(client, question, stop.signal);
        if (quote === null) return;
        const before = last.current;
        if (before?.key === key && isOtherPrice(before.quote, quote))
          setChange({ before: before.quote, now: quote });
        last.current = { key, quote };
        setState({ status: 'ready', quote, refusal: null });
      } catch (fault) {
        if (stop.signal.aborted) return;
        setState(
          isRefusedRequest(fault)
            ? { status: 'refused', quote: null, refusal: fault }
            : { status: 'failed', quote: null, refusal: null },
        );
      }
    };
    setState((shown) =>
      shown.status === 'ready' && last.current?.key === key
        ? shown
        : { status: 'asking', quote: null, refusal: null },
    );
    const timer = window.setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [key, hints, times]);
  return {
    state,
    change,
    acceptChange: () => setChange(null),
    again: () => setTimes((asked) => asked + 1),
  };
};
