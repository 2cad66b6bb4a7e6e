/** The times that a guest looks at: read anew for another choice, and whenever the page gets the focus. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Choice, TimesState } from '../../components/booking/picker-props.ts';
import type { Slots } from '../../components/booking/times.ts';

interface TimesParts {
  readonly choice: Choice;
  readonly load: (choice: Choice) => Promise<Slots>;
  /** Null: they are loaded first. */
  readonly first: Slots | null;
  readonly describe: (error: unknown) => string;
}

export interface LiveTimes {
  readonly times: TimesState;
  /** Reads them again and shows the old ones until then. */
  readonly refresh: () => void;
  /** Reads them for another choice. */
  readonly show: (choice: Choice) => void;
}

export const useTimes = ({ choice, load, first, describe }: TimesParts): LiveTimes => {
  const [times, setTimes] = useState<TimesState>(
    first === null ? { kind: 'loading' } : { kind: 'listed', slots: first },
  );
  /** The latest read: an earlier one that answers later is dropped. */
  const latest = useRef(0);
  const shown = useRef(choice);
  const read = useCallback(
    (of: Choice): void => {
      const mine = (latest.current += 1);
      const isLatest = (): boolean => latest.current === mine;
      load(of).then(
        (slots) => {
          if (isLatest()) setTimes({ kind: 'listed', slots });
        },
        (error: unknown) => {
          if (isLatest()) setTimes({ kind: 'failed', message: describe(error) });
        },
      );
    },
    [load, describe],
  );
  const show = useCallback(
    (of: Choice): void => {
      shown.current = of;
      setTimes({ kind: 'loading' });
      read(of);
    },
    [read],
  );
  const refresh = useCallback((): void => read(shown.current), [read]);
  useEffect(() => {
    if (first === null) read(choice);
    // Only at the beginning: a later choice is shown by `show`.
  }, []);
  return { times, refresh, show };
};
