/** Two launchers on one folder: both do the work that is done once, and it is done once. */
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aGuest, anOrder, type Guest } from '../support/people/guests.ts';
import { retryingClient } from '../support/programs/order-load.ts';
import { connectTo, eventually, postgresOf, useProgram, type Server } from '../support/programs/program.ts';
import { gone, serveWorkers, workersOf } from '../support/programs/workers.ts';
import { aBranch, aShopFile, branchId, daily } from '../support/shops/cafe.ts';
import { openWhatsApp, sendingBy, type WhatsAppServer } from '../support/stand-ins/whatsapp.ts';

const bench = useProgram('test', 'embedded');
/** Always open, orders without a code. */
const SHOP = aShopFile({
  branches: [aBranch({ otp_required: false, online_hours: daily('00:00', '00:00') })],
});
const MENU = `/public/branches/${branchId()}/menu`;

/** Each process has at most eight in flight: with as many both outboxes are sending. */
const OF_TWO_OUTBOXES = 16;

const database = async (): Promise<pg.Client> => {
  const client = await connectTo(bench.dataDir());
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
};

const orderAt = async (server: Server, { typed, phone }: Guest): Promise<void> => {
  const { status } = await retryingClient(() => server.port).postUntilAnswered(
    '/public/delivery-orders',
    anOrder({ customer_phone: typed }),
    { 'idempotency-key': phone },
  );
  expect(status).toBe(201);
};

/** Who has a message of this kind, once for each message. */
const toldOf = ({ taken }: WhatsAppServer, template: string): readonly string[] =>
  taken.flatMap((message) => (message.template === template ? [message.to] : [])).sort();

const allSent = (client: pg.Client) =>
  eventually(async () => {
    const { rowCount } = await client.query(`select from outbox where status <> 'sent' or attempts <> 1`);
    return rowCount === 0 ? true : null;
  }, 'the outbox to be sent, each message with one try');

/** No order is confirmed in time, and the sweepers of both launchers find that out together. */
const rejectAll = async (client: pg.Client): Promise<void> => {
  const holder = await database();
  await client.query(`update delivery_order set created_at = created_at - interval '1 hour'`);
  await holder.query('begin');
  await holder.query('select from delivery_order for update');
  await client.query('update branch set auto_reject_minutes = 10');
  await eventually(async () => {
    const { rows } = await client.query<{ sweepers: number }>(
      `select count(distinct pid)::int as sweepers from pg_locks join pg_stat_activity using (pid)
       where not granted and application_name = 'ahwa background'`,
    );
    return rows[0]?.sweepers === 2 ? true : null;
  }, 'both sweepers at one order');
  await holder.query('commit');
  await eventually(async () => {
    const { rowCount } = await client.query(`select from delivery_order where status <> 'rejected'`);
    return rowCount === 0 ? true : null;
  }, 'the sweep');
};

test('each message leaves once, the sweep is done once, and the second launcher goes on without the first', async () => {
  const whatsApp = await openWhatsApp();
  onTestFinished(() => whatsApp.stop());
  const settings = { RATE_LIMIT_SCALE: '0', ...sendingBy(whatsApp) };
  const first = await serveWorkers(bench, settings);
  const second = await serveWorkers(bench, settings);
  expect((await bench.ahwa(['import', '-'], {}, JSON.stringify(SHOP))).code).toBe(0);
  const client = await database();

  const release = whatsApp.hold();
  const guests = Array.from({ length: OF_TWO_OUTBOXES }, aGuest);
  for (const [n, guest] of guests.entries()) await orderAt(n % 2 === 0 ? first : second, guest);
  await eventually(() => (whatsApp.requests === OF_TWO_OUTBOXES ? true : null), 'both outboxes to send');
  release();
  await allSent(client);
  const phones = guests.map(({ phone }) => phone).sort();
  expect(toldOf(whatsApp, 'order_received')).toEqual(phones);

  await rejectAll(client);
  await allSent(client);
  expect(toldOf(whatsApp, 'order_rejected')).toEqual(phones);
  expect(whatsApp.requests).toBe(2 * OF_TWO_OUTBOXES);
  const audited = await client.query(
    `select from audit where action = 'order.not_confirmed' group by subject_id having count(*) = 1`,
  );
  expect(audited.rowCount).toBe(OF_TWO_OUTBOXES);

  first.signal('SIGKILL');
  await gone(workersOf(first));
  expect(postgresOf(bench.dataDir())).not.toBeNull();
  expect((await second.get(MENU)).status).toBe(200);
  const last = aGuest();
  await orderAt(second, last);
  await eventually(() => (whatsApp.taken.at(-1)?.to === last.phone ? true : null), 'the last message');
  await allSent(client);
  expect(whatsApp.requests).toBe(2 * OF_TWO_OUTBOXES + 1);
});
