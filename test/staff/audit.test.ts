/** GET /staff/audit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aBranch, aShopFile, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { aMember, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { postOk } from '../support/server/requests.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { insert, type Row } from '../support/database/rows.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';
import { replayParked } from '../../src/messaging/app/parked-rows.ts';
import { replayWebhooks } from '../../src/messaging/app/webhook.ts';
import { at } from '../../src/platform/store/db.ts';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';

type Listed = ReplyOf<EndpointOf<'listAudit'>>;

let world: World;
let owner: SignedIn;
let manager: SignedIn;

beforeAll(async () => {
  world = await makeWorld();
  const branches = [
    aBranch({ otp_required: false }),
    aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' } }),
  ];
  const staff = [
    aMember('owner', 'owner'),
    aMember('manager', 'manager', { branches: ['zamalek'] }),
    aMember('teller', 'teller'),
  ];
  await openShops(world, aShopFile({ branches, staff }), aShopFile({ slug: 'other' }));
  [owner, manager] = [
    await setPasswordAndSignIn(world, 'owner'),
    await setPasswordAndSignIn(world, 'manager'),
  ];
});
afterAll(() => world.close());

const ask = (who: SignedIn, query = ''): Promise<Reply> => world.get(`/staff/audit${query}`, who);
const listed = async (who: SignedIn, query = ''): Promise<Listed> => {
  const { status, body, text } = await ask(who, query);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body as Listed;
};

/** Inserts an entry directly. */
const entry = (row: Row): Row => ({
  ...{ org_id: shopId(), id: newId(), at: '2026-10-01T00:00:00Z', staff_id: null, branch_id: branchId() },
  ...{ action: 'order.moved', subject: 'order', subject_id: null, detail: {}, ...row },
});

describe('GET /staff/audit', () => {
  test('the log lists who did what, when and where, newest first', async () => {
    const order = await placed(world);
    world.now += 60_000;
    await postOk(world, owner, `/staff/orders/${order.id}/move`, { to: 'confirmed', revision: 1 });
    const [latest] = await listed(owner);
    expect(latest).toMatchObject({
      at: new Date(world.now).toISOString(),
      staff_name: 'owner',
      device_id: null,
      branch_id: branchId(),
      action: 'order.moved',
      subject: 'order',
      subject_id: order.id,
      detail: { from: 'received', to: 'confirmed' },
    });
    const times = (await listed(owner)).map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('subject_id selects the entries of one subject', async () => {
    const order = await placed(world, anOrder());
    await postOk(world, owner, `/staff/orders/${order.id}/move`, { to: 'confirmed', revision: 1 });
    await postOk(world, owner, `/staff/orders/${order.id}/move`, { to: 'ready', revision: 2 });
    const steps = (await listed(owner, `?subject_id=${order.id}`)).map(({ detail }) => detail['to']);
    expect(steps).toHaveLength(2);
    expect(new Set(steps)).toEqual(new Set(['confirmed', 'ready']));
    expect(await listed(owner, `?subject_id=${newId()}`)).toEqual([]);
  });

  test('pages return each entry once, also entries of the same instant', async () => {
    const subject = newId();
    const rows = Array.from({ length: 7 }, (_, n) =>
      entry({ subject_id: subject, at: `2026-10-01T00:00:0${n < 4 ? 0 : n}Z` }),
    );
    await insert(world.db.kysely, 'audit', ...rows);
    const ids: string[] = [];
    for (;;) {
      const before = ids.length === 0 ? '' : `&before=${ids.at(-1)}`;
      const page = await listed(owner, `?subject_id=${subject}&limit=2${before}`);
      expect(page.length).toBeLessThanOrEqual(2);
      if (page.length === 0) break;
      ids.push(...page.map(({ id }) => id));
    }
    expect([...ids].sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  test('before= refuses an unknown entry and an entry of another branch', async () => {
    const elsewhere = entry({ branch_id: branchId('maadi') });
    await insert(world.db.kysely, 'audit', elsewhere);
    const refusal = { status: 400, fields: [{ path: 'before', problem: 'is no entry of this log' }] };
    expect(await world.refused(`/staff/audit?before=${newId()}`, owner)).toMatchObject(refusal);
    const there = `?before=${String(elsewhere['id'])}`;
    expect(await world.refused(`/staff/audit${there}`, manager)).toMatchObject(refusal);
    expect((await ask(owner, there)).status).toBe(200);
  });

  test('a replay of messages is recorded only if there were messages', async () => {
    expect(await replayParked(world.app, shopId(), null)).toBe(0);
    expect(await replayWebhooks(world.app, shopId(), null)).toBe(0);
    const actions = async () => (await listed(owner)).map(({ action }) => action);
    expect(await actions()).not.toContain('outbox.replayed');
    expect(await actions()).not.toContain('webhook.replayed');
    await placed(world, anOrder());
    await world.db.kysely
      .updateTable('outbox')
      .set({ status: 'parked', done_at: at(world.now) })
      .execute();
    expect(await replayParked(world.app, shopId(), 'message')).toBeGreaterThan(0);
    expect(await actions()).toContain('outbox.replayed');
  });

  test('the log returns 200 entries by default and refuses a higher limit', async () => {
    const subject = newId();
    const rows = Array.from({ length: 203 }, () => entry({ subject_id: subject }));
    await insert(world.db.kysely, 'audit', ...rows);
    expect(await listed(owner, `?subject_id=${subject}`)).toHaveLength(200);
    expect(await listed(owner, `?subject_id=${subject}&limit=200`)).toHaveLength(200);
    expect(await world.refused('/staff/audit?limit=201', owner)).toMatchObject({
      ...{ status: 400, fields: [{ path: 'limit', problem: 'must be a whole number from 1 to 200' }] },
    });
  });

  test('a manager of one branch sees its entries and none of the whole shop', async () => {
    const subject = newId();
    await insert(
      world.db.kysely,
      'audit',
      ...[branchId(), branchId('maadi'), null].map((branch_id) => entry({ subject_id: subject, branch_id })),
    );
    const branchesOf = (entries: Listed) => entries.map(({ branch_id }) => branch_id).sort();
    expect(branchesOf(await listed(manager, `?subject_id=${subject}`))).toEqual([branchId()]);
    expect(branchesOf(await listed(owner, `?subject_id=${subject}`))).toEqual(
      [branchId(), branchId('maadi'), null].sort(),
    );
  });

  test('entries of another shop are neither listed nor accepted in before=', async () => {
    const subject = newId();
    const row = entry({ subject_id: subject, org_id: shopId('other'), branch_id: null });
    await insert(world.db.kysely, 'audit', row);
    expect(await listed(owner, `?subject_id=${subject}`)).toEqual([]);
    expect(await world.refused(`/staff/audit?before=${String(row['id'])}`, owner)).toMatchObject({
      ...{ status: 400, fields: [{ path: 'before' }] },
    });
  });

  test('refuses a teller and a request without a session', async () => {
    const teller = await setPasswordAndSignIn(world, 'teller');
    expect(await world.refused('/staff/audit', teller)).toMatchObject({
      status: 403,
      code: 'NOT_PERMITTED',
      vars: { permission: 'audit.read' },
    });
    expect(await world.refused('/staff/audit')).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
  });
});
