/** The tracked order, asked for again until it ends: by its tag, seldom while the page is hidden. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/client.ts';
import type { Card } from '../components/card/shapes.ts';
import { useReader } from '../components/reader.ts';
import { hasEnded, type TrackedOrder } from '../components/tracked-order.ts';
import { Tracking, type Staleness, type TrackingProps } from '../components/tracking.tsx';
import { readCard } from './card.ts';
import { clientFor } from './start.tsx';

const SECOND = 1000;
/** A status lasts minutes; the branch's staff see their own moves at once. */
const SHOWN_MS = 10 * SECOND;
const HIDDEN_MS = 60 * SECOND;
const AFTER_FAILURE_MS = 20 * SECOND;

interface Seen extends TrackingProps {
  readonly etag: string | null;
}

const stalenessOf = (fault: unknown): Staleness =>
  fault instanceof ApiError && fault.status === 404 ? 'gone' : 'offline';

const waitAfter = (fault: unknown): number =>
  fault instanceof ApiError && fault.retryAfterSeconds !== null
    ? Math.max(AFTER_FAILURE_MS, fault.retryAfterSeconds * SECOND)
    : AFTER_FAILURE_MS;

/** The server's clock, from when it drew the page: the phone's may be wrong. */
const clockFrom = (drawnAt: number): (() => number) => {
  const begun = performance.now();
  return () => Math.round(drawnAt + performance.now() - begun);
};

/** The card of this device, where the order is one of its orders, read again when the order has earned; else null. */
const useCardOfOrder = ({ id, org_slug: slug, loyalty }: TrackedOrder): Card | null => {
  const { language } = useReader();
  const [card, setCard] = useState<Card | null>(null);
  const earned = loyalty?.earned ?? null;
  useEffect(() => {
    const token = loyalty == null ? null : readCard(slug);
    if (token === null) return;
    const [client, path] = [clientFor(language), { member_token: token }];
    void Promise.all([client.getCard({ path }), client.pastOrders({ path })]).then(
      ([{ body }, { body: past }]) =>
        setCard(past?.orders.some((order) => order.id === id) === true ? body : null),
      // Without it the receipt says all but how far the next reward is.
      () => setCard(null),
    );
  }, [id, slug, loyalty == null, earned]);
  return card;
};

export const LiveTracking = (drawn: TrackingProps) => {
  const { language } = useReader();
  const [seen, setSeen] = useState<Seen>({ ...drawn, etag: null });
  useEffect(() => {
    const client = clientFor(language);
    const now = clockFrom(drawn.readAt);
    let timer = 0;
    let last: Seen = seen;
    let isAsking = false;
    const show = (next: Seen): void => {
      last = next;
      setSeen(next);
    };
    const isOver = (): boolean => hasEnded(last.order) || last.staleness === 'gone';
    const wait = (ms: number): void => {
      window.clearTimeout(timer);
      if (!isOver()) timer = window.setTimeout(() => void ask(), ms);
    };
    const ask = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      let pause = document.hidden ? HIDDEN_MS : SHOWN_MS;
      try {
        const reply = await client.trackOrder({ path: { id: last.order.id }, ifNoneMatch: last.etag });
        const order = reply.status === 304 ? last.order : reply.body;
        show({ ...last, order, etag: reply.etag, readAt: now(), staleness: 'current' });
      } catch (fault) {
        show({ ...last, staleness: stalenessOf(fault) });
        pause = waitAfter(fault);
      }
      isAsking = false;
      wait(pause);
    };
    const askWhenShown = (): void => {
      if (!document.hidden && !isOver()) void ask();
    };
    wait(SHOWN_MS);
    document.addEventListener('visibilitychange', askWhenShown);
    window.addEventListener('online', askWhenShown);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', askWhenShown);
      window.removeEventListener('online', askWhenShown);
    };
  }, []);
  return <Tracking {...seen} card={useCardOfOrder(seen.order)} />;
};
