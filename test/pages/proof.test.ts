import { afterEach, expect, test } from 'vitest';
import { ApiError, createClient, type Client } from '../../src/client/client.ts';
import { requestCode } from '../../src/doors/web/browser/proof.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
afterEach(() => world.close());

const open = async (limitScale: number): Promise<Client> => {
  world = await makeWorld({ limitScale });
  return createClient({ baseUrl: world.baseUrl, fetch });
};

test('who asks again within a minute has the code that was sent', async () => {
  const client = await open(0);
  expect(await requestCode(client, '01001234567')).toBe(60);
  world.now += 20_000;
  expect(await requestCode(client, '01001234567')).toBe(40);
});

test('who has used up the code waits, and is told of no code', async () => {
  const client = await open(0);
  await requestCode(client, '01001234567');
  for (let tries = 1; tries <= 5; tries += 1)
    await expect(client.verifyOtp({ body: { phone: '01001234567', code: '000000' } })).rejects.toMatchObject({
      body: { code: 'OTP_INVALID' },
    });
  await expect(requestCode(client, '01001234567')).rejects.toMatchObject({ body: { code: 'RATE_LIMITED' } });
});

test('a limit of the client is no code that was sent, however short the wait', async () => {
  const client = await open(1);
  const phones = Array.from({ length: 50 }, (_, at) => `010012345${String(at).padStart(2, '0')}`);
  const refusedAt = async (): Promise<number | null> => {
    for (const phone of phones)
      try {
        await client.requestOtp({ body: { phone } });
      } catch (error) {
        return error instanceof ApiError ? error.retryAfterSeconds : null;
      }
    return null;
  };
  const wait = (await refusedAt()) ?? 0;
  expect(wait).toBeGreaterThan(30);
  world.now += (wait - 30) * 1000;
  world.elapsed += (wait - 30) * 1000;
  await expect(requestCode(client, '01111111111')).rejects.toMatchObject({
    ...{ status: 429, retryAfterSeconds: 30 },
    body: { code: 'RATE_LIMITED' },
  });
});
