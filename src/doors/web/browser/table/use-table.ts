/** The table with its running bill, asked for again by its tag, seldom while the page is hidden; until its code ends. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Client } from '../../../../client/client.ts';
import type { TableView } from '../../components/table.ts';

const SECOND = 1000;
const SHOWN_MS = 8 * SECOND;
const HIDDEN_MS = 60 * SECOND;
const AFTER_FAILURE_MS = 20 * SECOND;

interface Seen {
  /** Null: not known yet. */
  readonly table: TableView | null;
  /** When this view of the table was asked for, in milliseconds of the page. */
  readonly askedAt: number;
  readonly isOffline: boolean;
  /** The code that the page was opened with was replaced, or its table or shop is not there any more. */
  readonly isCodeEnded: boolean;
}

const NOT_FOUND = 404;

const waitAfter = (fault: unknown): number =>
  fault instanceof ApiError && fault.retryAfterSeconds !== null
    ? Math.max(AFTER_FAILURE_MS, fault.retryAfterSeconds * SECOND)
    : AFTER_FAILURE_MS;

export const useTable = (client: Client, tableId: string) => {
  const [seen, setSeen] = useState<Seen>({ table: null, askedAt: 0, isOffline: false, isCodeEnded: false });
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    let [timer, isAsking, isOver]: [number, boolean, boolean] = [0, false, false];
    let etag: string | null = null;
    let asked = 0;
    const ask = async (): Promise<void> => {
      asked += 1;
      if (isAsking || isOver) return;
      const mine = asked;
      const askedAt = performance.now();
      isAsking = true;
      window.clearTimeout(timer);
      let pause = document.hidden ? HIDDEN_MS : SHOWN_MS;
      try {
        const reply = await client.getTable({ path: { id: tableId }, ifNoneMatch: etag });
        etag = reply.etag;
        setSeen(({ table }) => ({
          ...{ table: reply.body ?? table, askedAt },
          ...{ isOffline: false, isCodeEnded: false },
        }));
      } catch (fault) {
        isOver = fault instanceof ApiError && fault.status === NOT_FOUND;
        const isCodeEnded = isOver;
        setSeen((last) => ({ ...last, isOffline: !isCodeEnded, isCodeEnded }));
        pause = waitAfter(fault);
      }
      isAsking = false;
      // Who asked meanwhile may have sent a round that this answer is older than.
      if (!isOver) timer = window.setTimeout(() => void ask(), asked > mine ? 0 : pause);
    };
    const askWhenShown = (): void => {
      if (!document.hidden) void ask();
    };
    again.current = () => void ask();
    void ask();
    document.addEventListener('visibilitychange', askWhenShown);
    window.addEventListener('online', askWhenShown);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', askWhenShown);
      window.removeEventListener('online', askWhenShown);
    };
  }, []);
  return { ...seen, again: (): void => again.current() };
};
