/** Staff in a shop file: who they are and where they work, and never what they sign in with. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf } from '../../src/shopfile/app/identity.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { addKnownDevice } from '../../src/staff/store/known-devices.ts';
import { addSession } from '../../src/staff/store/sessions.ts';
import { setSecret } from '../../src/staff/store/staff.ts';
import { newId } from '../support/activity.ts';
import { aBranch, aShopFile } from '../support/build.ts';
import { faultsOfImport, openShopHouse, told, type ShopHouse } from '../support/shop-imports.ts';

type Staff = NonNullable<ShopFile['staff']>;
type Person = Staff[number];

let house: ShopHouse;
beforeAll(async () => {
  house = await openShopHouse();
});
afterAll(() => house.close());

const owner: Person = { name: 'نادية', role: 'owner' };

let shops = 0;
/** A shop that no other test has, with the given staff. */
const shopWith = (staff: Staff | null, slug = `staff-${(shops += 1)}`) => {
  const file = aShopFile({
    slug,
    branches: [
      aBranch({ key: 'zamalek', code: 'ZML' }),
      aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' } }),
    ],
    ...(staff === null ? {} : { staff }),
  });
  return { slug, file, orgId: shopIdOf(slug) };
};

/** The same shop with other staff. */
const changed = (file: ShopFile, ...staff: Staff): ShopFile => ({ ...file, staff });

const personId = (orgId: string, name: string): string => derivedId(orgId, 'staff', orgId, { name });

const storedOf = (orgId: string) =>
  house.db.kysely.selectFrom('staff').selectAll().where('org_id', '=', orgId).orderBy('name').execute();

const giveSecrets = async (orgId: string): Promise<void> => {
  await house.db.kysely
    .updateTable('staff')
    .set({ password_hash: 'the hash of a password', pin_hash: 'the hash of a PIN' })
    .where('org_id', '=', orgId)
    .execute();
};

const signIn = (orgId: string, staffId: string): Promise<void> =>
  addSession(house.db.kysely, {
    tokenHash: Buffer.from(`${orgId} ${staffId}`),
    orgId,
    staffId,
    id: newId(),
    deviceId: null,
    now: house.clock.now(),
    expiresAt: house.clock.now() + 1_000,
    passwordAt: null,
  });

const signedIn = async (orgId: string): Promise<string[]> => {
  const rows = await house.db.kysely
    .selectFrom('staff_session')
    .select('staff_id')
    .where('org_id', '=', orgId)
    .execute();
  return rows.map(({ staff_id }) => staff_id);
};

describe('a list of staff', () => {
  test('says who works where; an address is kept in small letters, and ids follow from names', async () => {
    const { file, orgId } = shopWith([
      { ...owner, email: 'Nadia@Here.Example' },
      { name: 'حسن', role: 'kitchen', branches: ['maadi', 'الزمالك'], active: false },
    ]);
    await house.import(file);
    const branch = (key: string): string => derivedId(orgId, 'branch', orgId, { key });
    expect(await storedOf(orgId)).toMatchObject([
      {
        id: personId(orgId, 'حسن'),
        role: 'kitchen',
        email: null,
        branch_ids: [branch('zamalek'), branch('maadi')].sort(),
        is_active: false,
      },
      {
        id: personId(orgId, 'نادية'),
        role: 'owner',
        email: 'nadia@here.example',
        branch_ids: null,
        is_active: true,
        password_hash: null,
        pin_hash: null,
      },
    ]);
    // In another order of branches it says the same.
    const again = changed(
      file,
      { ...owner, email: 'nadia@here.example' },
      { name: 'حسن', role: 'kitchen', branches: ['zamalek', 'maadi'], active: false },
    );
    expect(await house.import(again)).toMatchObject({ created: 0, updated: 0, archived: 0 });
  });

  test('is exported without a trace of passwords and PINs, which an import leaves alone', async () => {
    const { file, slug, orgId } = shopWith([{ ...owner, email: 'n@secrets.example' }]);
    await house.import(file);
    await giveSecrets(orgId);
    const exported = await house.export(slug);
    expect(exported.staff).toEqual([
      { id: personId(orgId, 'نادية'), name: 'نادية', role: 'owner', email: 'n@secrets.example' },
    ]);
    expect(JSON.stringify(exported)).not.toMatch(/hash|pin/i);
    await house.import(changed(file, { name: 'نادية', role: 'owner', email: 'other@secrets.example' }));
    expect(await storedOf(orgId)).toMatchObject([
      {
        email: 'other@secrets.example',
        password_hash: 'the hash of a password',
        pin_hash: 'the hash of a PIN',
      },
    ]);
  });

  test('archives who is left out, signs them out, and tells it in the change log and the audit log', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    await house.import(file);
    for (const name of ['نادية', 'منى', 'علي']) await signIn(orgId, personId(orgId, name));
    const { seq } = await house.changes(orgId);
    const report = await house.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    expect(report.things).toEqual([
      { op: 'updated', kind: 'staff', id: personId(orgId, 'علي'), name: 'علي', aspects: ['role'] },
      { op: 'archived', kind: 'staff', id: personId(orgId, 'منى'), name: 'منى', aspects: [] },
    ]);
    expect((await signedIn(orgId)).sort()).toEqual([personId(orgId, 'نادية'), personId(orgId, 'علي')].sort());
    const { changes } = await house.changes(orgId, seq);
    expect(changes).toHaveLength(2);
    expect(changes).toContainEqual({
      scope: 'staff',
      type: 'staff',
      id: personId(orgId, 'منى'),
      op: 'delete',
    });
    const audited = await house.db.kysely
      .selectFrom('audit')
      .select(['action', 'subject_id', 'detail', 'staff_id'])
      .where('org_id', '=', orgId)
      .execute();
    expect(audited).toHaveLength(5);
    expect(audited).toContainEqual({
      action: 'staff.updated',
      subject_id: personId(orgId, 'علي'),
      detail: { aspects: ['role'] },
      staff_id: null,
    });
  });

  test('signs out who is switched off', async () => {
    const { file, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await house.import(file);
    await signIn(orgId, personId(orgId, 'منى'));
    await house.import(changed(file, owner, { name: 'منى', role: 'teller', active: false }));
    expect(await signedIn(orgId)).toEqual([]);
  });

  test('brings people back from the archive', async () => {
    const { file, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await house.import(file);
    await house.import(changed(file, owner));
    const report = await house.import(file);
    expect(report.things).toMatchObject([
      { op: 'updated', id: personId(orgId, 'منى'), aspects: ['back from the archive'] },
    ]);
  });

  test('brings them back without the password, the PIN and the known devices that they had', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    await house.import(file);
    const [mona, ali] = [personId(orgId, 'منى'), personId(orgId, 'علي')];
    await setSecret(house.db.kysely, orgId, [mona, ali], 'password_hash', 'a hash');
    await setSecret(house.db.kysely, orgId, [mona, ali], 'pin_hash', 'a hash');
    const device = { orgId, now: house.clock.now(), expiresAt: house.clock.now() + 1_000 };
    await addKnownDevice(house.db.kysely, { ...device, tokenHash: Buffer.from(`${orgId} m`), staffId: mona });
    await house.import(changed(file, owner, { name: 'علي', role: 'waiter', active: false }));
    await house.import(file);
    const secrets = await house.db.kysely
      .selectFrom('staff')
      .select(['id', 'password_hash', 'pin_hash', 'archived_at'])
      .where('org_id', '=', orgId)
      .where('id', 'in', [mona, ali])
      .execute();
    expect(secrets).toContainEqual({ id: mona, password_hash: null, pin_hash: null, archived_at: null });
    // Who was switched off for a while keeps theirs.
    expect(secrets).toContainEqual({
      id: ali,
      password_hash: 'a hash',
      pin_hash: 'a hash',
      archived_at: null,
    });
    const known = await house.db.kysely
      .selectFrom('known_device')
      .select('staff_id')
      .where('org_id', '=', orgId)
      .execute();
    expect(known).toEqual([]);
  });

  test('is recorded as a security event for each person whose rights change, and for sign-ins that end', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    const counts = () => ({ ...house.security.counts });
    const start = counts();
    await house.import(file);
    const hired = counts();
    // In a new shop there is nobody yet whose rights could have been others.
    expect(hired.permissions_changed - start.permissions_changed).toBe(0);
    await signIn(orgId, personId(orgId, 'منى'));
    await house.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    const after = counts();
    expect(after.permissions_changed - hired.permissions_changed).toBe(2);
    expect(after.sessions_ended - hired.sessions_ended).toBe(1);
    await house.import(changed(file, owner, { name: 'علي', role: 'kitchen' }), { dryRun: true });
    await house.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    expect(counts()).toEqual(after);
  });

  test('that is left out altogether changes nobody', async () => {
    const { file, slug, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await house.import(file);
    await house.import(changed(file, owner));
    const before = await storedOf(orgId);
    const { file: silent } = shopWith(null, slug);
    expect(await house.import(silent)).toMatchObject({ created: 0, updated: 0, archived: 0 });
    expect(await storedOf(orgId)).toEqual(before);
  });

  test('lets people trade addresses, and hand them on', async () => {
    const [a, b] = ['a@trade.example', 'b@trade.example'];
    const { file, orgId } = shopWith([
      owner,
      { name: 'x', role: 'manager', email: a },
      { name: 'y', role: 'manager', email: b },
    ]);
    await house.import(file);
    await house.import(
      changed(
        file,
        owner,
        { name: 'x', role: 'manager', email: b },
        { name: 'y', role: 'manager', email: a },
      ),
    );
    await house.import(
      changed(file, owner, { name: 'x', role: 'manager' }, { name: 'y', role: 'manager', email: b }),
    );
    expect((await storedOf(orgId)).map(({ name, email }) => [name, email])).toEqual([
      ['x', null],
      ['y', b],
      ['نادية', null],
    ]);
    const taking: Person = {
      id: '5aff0000-0000-4000-8000-000000000001',
      name: 'z',
      role: 'manager',
      email: b,
    };
    await house.import(changed(file, owner, { name: 'x', role: 'manager' }, taking));
    expect((await storedOf(orgId)).filter(({ email }) => email === b)).toHaveLength(2);
  });
});

describe('what is wrong with a list of staff', () => {
  const faults = async (file: ShopFile): Promise<string[]> => told(await faultsOfImport(house.import(file)));

  test('a role, an address and a branch that are none', async () => {
    const { file } = shopWith([
      owner,
      { name: 'منى', role: 'teller', email: 'not an address', branches: ['zamalk', 'maadi'] },
      { name: 'علي', role: 'cook' as 'kitchen' },
    ]);
    expect(await faults(file)).toEqual([
      'staff[1].email: must be an e-mail address such as mona@shop.example',
      'staff[2].role: must be one of owner, manager, teller, waiter, kitchen',
      'staff[1].branches[0]: names no branch of this file: ‘zamalk’ — did you mean ‘zamalek’?',
    ]);
  });

  test('a password or a PIN, which have no place there', async () => {
    const { file } = shopWith([{ ...owner, pin: '2468' } as Person]);
    expect(await faults(file)).toEqual(['staff[0].pin: is not a field that is known here']);
  });

  test('an owner of some branches', async () => {
    const { file } = shopWith([{ ...owner, branches: ['maadi'] }]);
    expect(await faults(file)).toEqual([
      'staff[0].branches: must be left out: an owner has every branch of the shop',
    ]);
  });

  test('two people of one name without a key, and of one address', async () => {
    const { file } = shopWith([
      owner,
      { name: 'منى', role: 'teller', email: 'MONA@twice.example' },
      { name: 'منى', role: 'waiter' },
      { name: 'سارة', role: 'waiter', email: 'mona@twice.example' },
    ]);
    expect(await faults(file)).toEqual([
      'staff[2].name: is also the name of staff[1]; give one of them a `key`',
      'staff[3].email: is also that of staff[1]',
    ]);
  });

  test('a new name for whoever has an address, without the id', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'manager', email: 'mona@renamed.example' },
    ]);
    await house.import(file);
    const [told] = await faults(
      changed(file, owner, { name: 'منى علي', role: 'manager', email: 'mona@renamed.example' }),
    );
    expect(told).toContain(`give it \`"id": "${personId(orgId, 'منى')}"\``);
    // One teller for another is no new name.
    await house.import(changed(file, owner, { name: 'سارة', role: 'manager' }));
  });

  test('an address of someone at another shop, stored or in a file beside it', async () => {
    const mine = shopWith([{ ...owner, email: 'n@first.example' }]);
    await house.import(mine.file);
    const theirs = shopWith([{ ...owner, email: 'N@first.example' }]);
    expect(await faults(theirs.file)).toEqual(['staff[0].email: is that of someone at another shop']);
    const both = [
      shopWith([{ ...owner, email: 'n@both.example' }]),
      shopWith([{ ...owner, email: 'n@both.example' }]),
    ];
    const given = both.map(({ slug, file }) => ({ name: `${slug}.json`, text: JSON.stringify(file) }));
    expect(told(await faultsOfImport(importShops(house, given)))).toEqual([
      'staff[0].email: is that of someone at another shop',
      'staff[0].email: is that of someone at another shop',
    ]);
    // Once its person is archived, an address is free.
    await house.import(changed(mine.file, { name: 'أخرى', role: 'owner' }));
    await house.import(theirs.file);
  });

  test('no owner, in a shop that has one', async () => {
    const { file } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await house.import(file);
    const fault = [
      'staff: would leave the shop without an owner; list one, or leave `staff` out to change nobody',
    ];
    expect(await faults(changed(file))).toEqual(fault);
    expect(await faults(changed(file, { ...owner, role: 'manager' }))).toEqual(fault);
    expect(await faults(changed(file, { ...owner, active: false }))).toEqual(fault);
    await house.import(changed(file, { name: 'خالد', role: 'owner' }));
  });

  test('not the lack of an owner in a shop that never had one', async () => {
    const { file } = shopWith([{ name: 'منى', role: 'teller' }]);
    await house.import(file);
    await house.import(changed(file));
  });

  test('two imports at once that give one address to two shops: one of them is told', async () => {
    const files = [1, 2].map(() => shopWith([{ ...owner, email: 'n@race.example' }]).file);
    const ends = await Promise.allSettled(files.map((file) => house.import(file)));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ name: 'ShopFileFaults' });
  });
});
