import { useEffect, useState } from 'preact/hooks';

/** The time zone of the reader's device; null until the page is alive, as the server does not know it. */
export const useOwnZone = (): string | null => {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(new Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return zone;
};
