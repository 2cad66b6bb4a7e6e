/** Guests with proven phones. Each client of each spread has its own, who come four times, first as new customers. */
import { createHash } from 'node:crypto';
import { addDeviceToken } from '../../src/identity/store/otp.ts';
import { markOwnerKnown } from '../../src/messaging/store/guest-phone.ts';
import type { App } from '../../src/platform/app/app.ts';
import { CLIENTS, TURNS } from './write-job.ts';

export interface Guest {
  readonly number: number;
  readonly phone: string;
  /** A device token. */
  readonly token: string;
}

const VISITS = 4;
const DAY_MS = 24 * 3_600_000;

/** `spread`: its number. */
export const guestOf = (spread: number, client: number, turn: number): Guest => {
  const number = (spread * CLIENTS + client) * 1_000_000 + Math.floor(turn / VISITS);
  return {
    number,
    phone: `010${String(number).padStart(8, '0')}`,
    token: `dev_${createHash('sha256').update(`guest ${number}`).digest('base64url')}`,
  };
};

/** The guests of all turns of this many spreads. */
export const proveGuests = async ({ db, clock, tokens }: App, spreads: number): Promise<void> => {
  const now = clock.now();
  await db.tx(async (tx) => {
    for (let spread = 0; spread < spreads; spread += 1)
      for (let client = 0; client < CLIENTS; client += 1)
        for (let turn = 0; turn < TURNS; turn += VISITS) {
          const { phone: typed, token } = guestOf(spread, client, turn);
          const phone = `2${typed}`;
          const hash = tokens.hashOf(token);
          await addDeviceToken(tx, { hash, phone, issuedAt: now, expiresAt: now + DAY_MS });
          await markOwnerKnown(tx, phone, now);
        }
  });
};
