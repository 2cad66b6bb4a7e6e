/** The time zone of the machine changes no answer about bookings. */
import { expect, test } from 'vitest';
import { aBooking, type Booking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId } from '../support/shops/cafe.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { useProgram, type Server } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');

const ZONES = ['UTC', 'Africa/Cairo', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata'];

const cafe = aShopFile({
  branches: [
    aBranch({
      tables: [aTable('t1', 2)],
      booking: {
        ...{ enabled: true, require_otp: false, horizon_days: 365 },
        ...{ hours: [{ days: ['wed', 'thu'], open: '18:00', close: '02:00' }], default_duration_minutes: 30 },
      },
    }),
  ],
});

/** A closed night, a plain one, and those on which Cairo skips and doubles an hour. */
const NIGHTS = [
  ['2027-04-20', 0],
  ['2027-04-21', 16],
  ['2027-04-29', 14],
  ['2027-10-28', 18],
] as const;

const BRANCH = `/public/branches/${branchId()}`;

const slotsOf = async (server: Server): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (const [date] of NIGHTS)
    texts.push((await server.get(`${BRANCH}/booking-slots?date=${date}&party_size=2`)).text);
  return texts;
};

const send = async ({ port }: Server, method: string, address: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return httpRequest(port, address, { method, headers, body: JSON.stringify(body) });
};

/** Reads, books the second 23:30 of the long night, moves and cancels it. Ids and tokens are masked. */
const answersOf = async (server: Server): Promise<readonly string[]> => {
  const info = (await server.get(`${BRANCH}/booking-info`)).text;
  const free = await slotsOf(server);
  const made = await send(
    server,
    'POST',
    '/public/bookings',
    aBooking({ starts_at: '2027-10-28T21:30:00Z' }),
  );
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { id, manage_token: token } = made.body as Booking;
  const address = `/public/bookings/${token}`;
  const later = [
    ...[made.text, (await server.get(address)).text, ...(await slotsOf(server))],
    (await send(server, 'PATCH', address, { starts_at: '2027-04-30T01:30:00+03:00' })).text,
    ...(await slotsOf(server)),
    (await send(server, 'POST', `${address}/cancel`, {})).text,
  ];
  return [info, ...free, ...later].map((text) => text.replaceAll(id, 'ID').replaceAll(token, 'TOKEN'));
};

const ended = async (server: Server): Promise<void> => {
  server.signal('SIGTERM');
  await server.ended;
};

test('booking-info, booking-slots and bookings have the same bytes under five time zones', async () => {
  expect((await bench.ahwa(['import', '-'], { TZ: 'Pacific/Apia' }, JSON.stringify(cafe))).code).toBe(0);
  const answers = new Map<string, readonly string[]>();
  for (const zone of ZONES) {
    // 23:30 in Cairo; Kolkata and Apia have the next date.
    const server = await bench.serve({ TZ: zone, CLOCK_START: '2027-04-20T21:30:00Z' });
    answers.set(zone, await answersOf(server));
    await ended(server);
  }
  const [first = []] = answers.values();
  expect(answers).toEqual(new Map(ZONES.map((zone) => [zone, first])));
  const counts = first
    .slice(1, 1 + NIGHTS.length)
    .map((text) => (JSON.parse(text) as { slots: unknown[] }).slots.length);
  expect(counts).toEqual(NIGHTS.map(([, count]) => count));
}, 120_000);
