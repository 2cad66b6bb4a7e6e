/** The start that is kept for this guest; remembered over a reload, so that the guest's own hold is not in the way. */
import type { Client } from '../../../../client/client.ts';
import { readStored, session, store } from '../storage.ts';

const KEY = 'ahwa-hold';

export interface Hold {
  readonly branchId: string;
  readonly token: string;
  /** On the device's clock. */
  readonly until: number;
}

const isHold = (value: unknown): value is Hold =>
  typeof value === 'object' &&
  value !== null &&
  'branchId' in value &&
  typeof value.branchId === 'string' &&
  'token' in value &&
  typeof value.token === 'string';

const read = (): Hold | null => {
  const kept = readStored(session, KEY);
  return isHold(kept) ? kept : null;
};

/** Without storage a hold that a reload forgets ends by itself. */
const keep = (hold: Hold | null): void => store(session, KEY, hold);

interface Start {
  readonly branchId: string;
  readonly start: string;
  readonly party: number;
}

/** Throws as the client does, SLOT_TAKEN too. */
export const holdStart = async (client: Client, { branchId, start, party }: Start): Promise<Hold> => {
  const { body } = await client.holdStart({
    path: { id: branchId },
    body: { starts_at: start, party_size: party, hold_token: read()?.token ?? null },
  });
  if (body === null) throw new Error('A hold has a body.');
  const hold = { branchId, token: body.hold_token, until: Date.now() + body.expires_in_seconds * 1000 };
  keep(hold);
  return hold;
};

/** Whether there was one. A hold that cannot be released ends by itself. */
export const releaseHold = async (client: Client): Promise<boolean> => {
  const hold = read();
  if (hold === null) return false;
  keep(null);
  try {
    await client.releaseHold({ path: { id: hold.branchId }, body: { hold_token: hold.token } });
  } catch {
    return false;
  }
  return true;
};

/** The booking has taken its place. */
export const forgetHold = (): void => keep(null);
