/** Phones that are nobody's here: codes asked for them, orders under them. No guest of the siege has one of these. */
import type { Attack } from '../attack.ts';
import { posted } from '../client.ts';
import { orderOf } from '../ground.ts';

const STRANGER = '01200000000';

const phones = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${String((count += 1)).padStart(8, '0')}`;
};

export const codesForTypedPhones: Attack = {
  name: 'codes asked for phones of others',
  bound: [429, 503],
  run: async (attacker) => {
    const nextPhone = phones('011');
    const clients = [0, 1, 2].map((n) => attacker.client(n));
    await attacker.repeat(clients.length, 500, async (worker) => {
      const client = clients[worker];
      if (client !== undefined)
        await attacker.ask(client, '/public/otp/request', posted({ phone: nextPhone() }));
    });
  },
};

/** Every second order is to be told to the same stranger. */
export const ordersOfTypedPhones: Attack = {
  name: 'orders under phones of others',
  bound: [429],
  run: async (attacker) => {
    const nextPhone = phones('015');
    const clients = [0, 1].map((n) => attacker.client(n));
    let n = 0;
    await attacker.repeat(clients.length, 1_000, async (worker) => {
      const client = clients[worker];
      n += 1;
      const phone = n % 2 === 0 ? STRANGER : nextPhone();
      const order = posted(orderOf(attacker.siege.ground, n, phone));
      if (client !== undefined) await attacker.ask(client, '/public/delivery-orders', order);
    });
  },
};
