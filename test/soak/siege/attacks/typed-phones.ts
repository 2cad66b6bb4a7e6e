/** Code requests and orders for phones that no legitimate guest has. */
import type { Attack } from '../attack.ts';
import { posted } from '../client.ts';
import { orderOf } from '../demo-fixture.ts';

const REPEATED_PHONE = '01200000000';

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

/** Every second order is for the same phone. */
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
      const phone = n % 2 === 0 ? REPEATED_PHONE : nextPhone();
      const order = posted(orderOf(attacker.siege.demo, n, phone));
      if (client !== undefined) await attacker.ask(client, '/public/delivery-orders', order);
    });
  },
};
