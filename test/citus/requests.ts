/** JSON requests to servers, whose answers may be refusals. */
import { anOrder } from '../support/people/guests.ts';
import type { Server } from '../support/programs/program.ts';
import { branchId, thingId } from '../support/shops/cafe.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 20_000;

/** A GET without a body, else a POST. */
export const ask = async (
  { port }: Pick<Server, 'port'>,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined
      ? { headers }
      : {
          ...{ method: 'POST', body: JSON.stringify(body) },
          headers: { 'content-type': 'application/json', ...headers },
        }),
  });
  return { status: reply.status, body: (await reply.json()) as Answer['body'] };
};

export const anOrderAt = (slug: string, phone: string) =>
  anOrder({
    ...{ branch_id: branchId('zamalek', slug), customer_phone: phone },
    items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
  });
