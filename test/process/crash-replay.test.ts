/** Kills the server while it records what a device did, at different points of a batch; the device sends the batch again. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type pg from 'pg';
import { aStaffedShop, bearer, emailOf, PASSWORD, personId, type SignedIn } from '../support/people/staff.ts';
import { crashFixture, until } from '../support/programs/crashes.ts';
import { retryingClient } from '../support/programs/order-load.ts';
import { useProgram } from '../support/programs/program.ts';
import { done } from '../support/server/requests.ts';
import { branchId, SLUG } from '../support/shops/cafe.ts';
import { aShift, booksOf, BOOKS, type Shift } from '../support/sync/shift.ts';

const bench = useProgram('file', 'embedded');
const fixture = crashFixture(bench, () => ({ RATE_LIMIT_SCALE: '0', METRICS_PORT: 'off' }));
const client = retryingClient(() => fixture.current().port);

/** The clock of the device. */
const DEVICE = { now: Date.parse('2026-11-20T15:00:00Z') };

let owner: SignedIn;
let device: SignedIn;
beforeAll(async () => {
  await bench.ahwa(['import', '-'], {}, JSON.stringify(aStaffedShop()));
  await bench.ahwa(['staff', 'password', SLUG, emailOf('owner')], {}, `${PASSWORD}\n`);
  await fixture.serve(0);
  const answered = (...asked: Parameters<typeof client.postUntilAnswered>) =>
    client.postUntilAnswered(...asked);
  const credentials = { email: emailOf('owner'), password: PASSWORD };
  owner = bearer(done('staffSignIn', await answered('/staff/sign-in', credentials)).token);
  const wanted = { branch_id: branchId(), label: 'till' };
  const { pairing_code } = done('makePairingCode', await answered('/staff/devices', wanted, owner));
  device = bearer(done('pairDevice', await answered('/staff/devices/pair', { pairing_code })).device_token);
}, 120_000);

let shift: Shift;
beforeEach(() => {
  shift = aShift(DEVICE);
});

/** The outcome of each event, from the first server that answers. */
const sent = async (): Promise<readonly string[]> => {
  const device_time = new Date(DEVICE.now).toISOString();
  const body = { branch_id: branchId(), device_time, events: shift.events };
  const { results } = done('replayEvents', await client.postUntilAnswered('/sync/replay', body, device));
  return results.map(({ outcome }) => outcome);
};

const expectBooks = async (): Promise<void> => {
  const get = (address: string, headers = {}) => client.untilAnswered('GET', address, undefined, headers);
  expect(await booksOf({ get }, owner, shift)).toEqual(BOOKS);
  expect(await fixture.rows(INCONSISTENT)).toEqual([]);
  expect(await sent()).toEqual(shift.events.map(() => 'already'));
  expect(await booksOf({ get }, owner, shift)).toEqual(BOOKS);
};

const INCONSISTENT = `
  select 'event that waits or is in review' as what from replay_event where outcome <> 'applied'
  union all select 'sale of no event, or of two' from sale s
    where 1 <> (select count(*) from replay_event e where e.org_id = s.org_id and e.subject_id = s.id and e.kind in ('sale', 'ticket_settle'))
  union all select 'gap in the sale numbers' from sale_number n
    where last <> (select count(*) from sale s where s.org_id = n.org_id and s.business_date = n.date)
  union all select 'sale that is not paid' from sale s
    where total <> (select sum(amount) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id)
  union all select 'sale that the kitchen did not get once' from sale s
    where source = 'replay' and 1 <> (select count(*) from kitchen_firing f where f.org_id = s.org_id and f.source_id = s.id)
      and not exists (select from ticket t where t.org_id = s.org_id and (t.sale_id = s.id or t.id = s.id))
  union all select 'gap in the change log' from change_counter n
    where seq - trimmed <> (select count(*) from change c where c.org_id = n.org_id)`;

const LOCKED = `
  select 1 from pg_stat_activity a join pg_locks l using (pid)
  where a.wait_event_type = 'Lock' and l.relation = 'replay_event'::regclass`;

/** The server waits for a lock of the test, is killed, and another one answers. */
const killedWhileItWaits = (lock: (tables: pg.Client) => Promise<unknown>): Promise<readonly string[]> =>
  fixture.withTables(async (tables) => {
    await tables.query('begin');
    await lock(tables);
    const answer = sent();
    await until(tables, LOCKED, 'the server to wait');
    await fixture.killServer();
    await tables.query('rollback');
    await fixture.serve();
    return answer;
  });

/** The same event, by a transaction that does not end. */
const recordElsewhere =
  (place: number) =>
  (tables: pg.Client): Promise<unknown> =>
    tables.query(
      `insert into replay_event (org_id, id, branch_id, device_id, staff_id, kind, subject_id, at, received_at, content_hash,
                                 outcome)
       select org_id, $1, branch_id, id, $2, 'sale', id, paired_at, paired_at, '', 'applied' from staff_device`,
      [shift.events[place]?.id, personId('owner')],
    );

test.each([3, 9])(
  'event %i is applied and not recorded: those before it are kept, and all are recorded once',
  async (place) => {
    expect(await killedWhileItWaits(recordElsewhere(place))).toEqual(
      shift.events.map((_, each) => (each < place ? 'already' : 'applied')),
    );
    await expectBooks();
  },
  120_000,
);

test('an event is recorded and not in the change log: it is recorded again', async () => {
  const answer = await killedWhileItWaits((tables) => tables.query('select from change_counter for update'));
  expect(answer).toEqual(shift.events.map(() => 'applied'));
  await expectBooks();
}, 120_000);

test('an event is committed, which the server does not hear: the device is told that it came before', async () => {
  let answer: Promise<readonly string[]> = Promise.resolve([]);
  await fixture.crashes['unheard event'](client, () => {
    answer = sent();
  });
  expect(await answer).toEqual(shift.events.map((_, place) => (place === 0 ? 'already' : 'applied')));
  await expectBooks();
}, 120_000);
