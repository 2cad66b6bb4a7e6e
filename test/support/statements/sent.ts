/** What the program sends to its database meanwhile. */
import pg from 'pg';
import { vi } from 'vitest';

export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** In the order in which they are sent, on whichever connection. */
export const sentDuring = async (work: () => Promise<unknown>): Promise<readonly Sent[]> => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return (query.mock.calls as readonly unknown[][]).map(([asked, values]) =>
      typeof asked === 'string' ? { text: asked, values: (values ?? []) as unknown[] } : (asked as Sent),
    );
  } finally {
    query.mockRestore();
  }
};
