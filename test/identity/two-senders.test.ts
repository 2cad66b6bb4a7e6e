/** One-time codes of a service with two senders: WhatsApp, and an SMS gateway. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { providersSender } from '../../src/adapters/senders/providers.ts';
import { KARIM, MONA } from '../support/people/guests.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';
import { answering, openSmsGateway, type SmsGateway } from '../support/stand-ins/sms-gateway.ts';
import { openWhatsApp, whatsAppError, type WhatsAppServer } from '../support/stand-ins/whatsapp.ts';

let gateway: SmsGateway;
let whatsApp: WhatsAppServer;
let world: World;
beforeAll(async () => {
  [gateway, whatsApp] = [await openSmsGateway(), await openWhatsApp()];
});
afterAll(async () => {
  await Promise.all([gateway.stop(), whatsApp.stop()]);
});
beforeEach(() => {
  gateway.requests.length = 0;
  gateway.instead = null;
  whatsApp.taken.length = 0;
  whatsApp.instead = null;
});
afterEach(() => world.close());

const messenger = () => {
  const { api, phoneId, token, codeTemplate } = whatsApp;
  const sms = { url: gateway.url, method: 'POST', contentType: 'application/json' } as const;
  return providersSender(
    {
      ...{ api, phoneId, token, codeTemplate, codes: ['whatsapp', 'sms'] },
      sms: { ...sms, body: '{"to":"{phone}","text":"{text}"}', authorization: null },
    },
    {
      ...{ monotonic: () => performance.now(), onFailing: () => undefined },
      onSent: (carrier) => world.app.codeCounts.addCarried(carrier),
    },
  );
};

const open = async (options: WorldOptions): Promise<void> => {
  world = await makeWorld({ ...options, messenger: messenger() });
};
const ask = ({ typed }: { readonly typed: string }) => post(world, '/public/otp/request', { phone: typed });
const codesSent = (): string[] =>
  gateway.requests.map(({ body }) => /"text":"(\d{6}) /.exec(body)?.[1] ?? '');
/** By `sender place`, without zeros. */
const carried = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    world.app.codeCounts
      .carried()
      .filter(({ count }) => count > 0)
      .map(({ sender, place, count }) => [`${sender} ${place}`, count]),
  );
const refuseOnWhatsApp = (): void => {
  whatsApp.instead = whatsAppError({ status: 400, code: 131026, message: 'Message undeliverable' });
};

describe('a code that WhatsApp refuses', () => {
  test('is one code of the phone and of its budgets, whichever sender takes it', async () => {
    await open({ limitScale: 1, messageBudgets: { total: 2 } });
    refuseOnWhatsApp();
    expect((await ask(MONA)).status).toBe(200);
    // Within the minute: the same phone has its code already.
    expect((await ask(MONA)).status).toBe(429);
    const [code = ''] = codesSent();
    const verified = await post(world, '/public/otp/verify', { phone: MONA.typed, code });
    expect(verified.status).toBe(200);
    expect((await ask(KARIM)).status).toBe(200);
    expect(codesSent()).toHaveLength(2);
    expect(carried()).toEqual({ 'sms next': 2 });
    world.now += 60_000;
    expect((await ask(MONA)).status).toBe(503);
    expect(codesSent()).toHaveLength(2);
  });

  test('is 503 where neither takes it, and counts for nothing', async () => {
    await open({ limitScale: 1, messageBudgets: { total: 1 } });
    refuseOnWhatsApp();
    gateway.instead = answering(503);
    expect(await ask(MONA)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(world.app.codeCounts.counts).toMatchObject({ sent: 0, failed: 1 });
    gateway.instead = null;
    expect((await ask(MONA)).status).toBe(200);
  });

  test('is sent once, however many ask for it at once', async () => {
    await open({});
    refuseOnWhatsApp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(MONA)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(codesSent()).toHaveLength(1);
  });
});

test('neither code nor phone is logged, whichever sender takes the code', async () => {
  await open({});
  await ask(KARIM);
  refuseOnWhatsApp();
  await ask(MONA);
  const secrets = [
    ...codesSent(),
    ...whatsApp.taken.map(({ button }) => button ?? ''),
    MONA.phone,
    KARIM.phone,
  ];
  for (const secret of secrets) expect(world.logged.join('\n')).not.toContain(secret);
});
