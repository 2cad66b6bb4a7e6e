/** Staff in shop files; passwords and PINs are never part of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { addKnownDevice } from '../../src/staff/store/known-devices.ts';
import { addSession } from '../../src/staff/store/sessions.ts';
import { setSecret } from '../../src/staff/store/staff.ts';
import { newId } from '../support/database/ids.ts';
import { aBranchEntry, aMinimalShopFile } from '../support/shops/shop-file.ts';
import {
  faultsOfImport,
  openImportFixture,
  faultLines,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

type Staff = NonNullable<ShopFile['staff']>;
type Person = Staff[number];

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const owner: Person = { name: 'نادية', role: 'owner' };

let shops = 0;
const shopWith = (staff: Staff | null, slug = `staff-${(shops += 1)}`) => {
  const file = aMinimalShopFile({
    slug,
    branches: [
      aBranchEntry({ key: 'zamalek', code: 'ZML' }),
      aBranchEntry({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' } }),
    ],
    ...(staff === null ? {} : { staff }),
  });
  return { slug, file, orgId: shopIdOf(slug) };
};

const changed = (file: ShopFile, ...staff: Staff): ShopFile => ({ ...file, staff });

const personId = (orgId: string, name: string): string => derivedId(orgId, 'staff', orgId, { name });

const storedOf = (orgId: string) =>
  fixture.db.kysely.selectFrom('staff').selectAll().where('org_id', '=', orgId).orderBy('name').execute();

const giveSecrets = async (orgId: string): Promise<void> => {
  await fixture.db.kysely
    .updateTable('staff')
    .set({ password_hash: 'the hash of a password', pin_hash: 'the hash of a PIN' })
    .where('org_id', '=', orgId)
    .execute();
};

const signIn = (orgId: string, staffId: string): Promise<void> =>
  addSession(fixture.db.kysely, {
    tokenHash: Buffer.from(`${orgId} ${staffId}`),
    orgId,
    staffId,
    id: newId(),
    deviceId: null,
    now: fixture.clock.now(),
    expiresAt: fixture.clock.now() + 1_000,
    passwordAt: null,
  });

const signedIn = async (orgId: string): Promise<string[]> => {
  const rows = await fixture.db.kysely
    .selectFrom('staff_session')
    .select('staff_id')
    .where('org_id', '=', orgId)
    .execute();
  return rows.map(({ staff_id }) => staff_id);
};

describe('a list of staff', () => {
  test('stores roles, branches and lower-case e-mail addresses, with ids derived from names', async () => {
    const { file, orgId } = shopWith([
      { ...owner, email: 'Nadia@Here.Example' },
      { name: 'حسن', role: 'kitchen', branches: ['maadi', 'الزمالك'], active: false },
    ]);
    await fixture.import(file);
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
    // The order of branches is irrelevant.
    const again = changed(
      file,
      { ...owner, email: 'nadia@here.example' },
      { name: 'حسن', role: 'kitchen', branches: ['zamalek', 'maadi'], active: false },
    );
    expect(await fixture.import(again)).toMatchObject({ created: 0, updated: 0, archived: 0 });
  });

  test('is exported without passwords and PINs, and an import keeps the stored ones', async () => {
    const { file, slug, orgId } = shopWith([{ ...owner, email: 'n@secrets.example' }]);
    await fixture.import(file);
    await giveSecrets(orgId);
    const exported = await fixture.export(slug);
    expect(exported.staff).toEqual([
      { id: personId(orgId, 'نادية'), name: 'نادية', role: 'owner', email: 'n@secrets.example' },
    ]);
    expect(JSON.stringify(exported)).not.toMatch(/hash|pin/i);
    await fixture.import(changed(file, { name: 'نادية', role: 'owner', email: 'other@secrets.example' }));
    expect(await storedOf(orgId)).toMatchObject([
      {
        email: 'other@secrets.example',
        password_hash: 'the hash of a password',
        pin_hash: 'the hash of a PIN',
      },
    ]);
  });

  test('archives people that it leaves out, ends their sessions, and writes change log and audit log', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    await fixture.import(file);
    for (const name of ['نادية', 'منى', 'علي']) await signIn(orgId, personId(orgId, name));
    const { seq } = await fixture.changes(orgId);
    const report = await fixture.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    expect(report.entities).toEqual([
      { op: 'updated', kind: 'staff', id: personId(orgId, 'علي'), name: 'علي', aspects: ['role'] },
      { op: 'archived', kind: 'staff', id: personId(orgId, 'منى'), name: 'منى', aspects: [] },
    ]);
    expect((await signedIn(orgId)).sort()).toEqual([personId(orgId, 'نادية'), personId(orgId, 'علي')].sort());
    const { changes } = await fixture.changes(orgId, seq);
    expect(changes).toHaveLength(2);
    expect(changes).toContainEqual({
      scope: 'staff',
      type: 'staff',
      id: personId(orgId, 'منى'),
      op: 'delete',
    });
    const audited = await fixture.db.kysely
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

  test('ends the sessions of deactivated staff', async () => {
    const { file, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await fixture.import(file);
    await signIn(orgId, personId(orgId, 'منى'));
    await fixture.import(changed(file, owner, { name: 'منى', role: 'teller', active: false }));
    expect(await signedIn(orgId)).toEqual([]);
  });

  test('restores archived people', async () => {
    const { file, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await fixture.import(file);
    await fixture.import(changed(file, owner));
    const report = await fixture.import(file);
    expect(report.entities).toMatchObject([
      { op: 'updated', id: personId(orgId, 'منى'), aspects: ['back from the archive'] },
    ]);
  });

  test('restores archived people without their password, PIN and known devices', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    await fixture.import(file);
    const [mona, ali] = [personId(orgId, 'منى'), personId(orgId, 'علي')];
    await setSecret(fixture.db.kysely, orgId, [mona, ali], 'password_hash', 'a hash');
    await setSecret(fixture.db.kysely, orgId, [mona, ali], 'pin_hash', 'a hash');
    const device = { orgId, now: fixture.clock.now(), expiresAt: fixture.clock.now() + 1_000 };
    await addKnownDevice(fixture.db.kysely, {
      ...device,
      tokenHash: Buffer.from(`${orgId} m`),
      staffId: mona,
    });
    await fixture.import(changed(file, owner, { name: 'علي', role: 'waiter', active: false }));
    await fixture.import(file);
    const secrets = await fixture.db.kysely
      .selectFrom('staff')
      .select(['id', 'password_hash', 'pin_hash', 'archived_at'])
      .where('org_id', '=', orgId)
      .where('id', 'in', [mona, ali])
      .execute();
    expect(secrets).toContainEqual({ id: mona, password_hash: null, pin_hash: null, archived_at: null });
    // Deactivated staff keep their secrets.
    expect(secrets).toContainEqual({
      id: ali,
      password_hash: 'a hash',
      pin_hash: 'a hash',
      archived_at: null,
    });
    const known = await fixture.db.kysely
      .selectFrom('known_device')
      .select('staff_id')
      .where('org_id', '=', orgId)
      .execute();
    expect(known).toEqual([]);
  });

  test('records a security event per changed permission and for ended sessions', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'teller' },
      { name: 'علي', role: 'waiter' },
    ]);
    const counts = () => ({ ...fixture.security.counts });
    const start = counts();
    await fixture.import(file);
    const hired = counts();
    // A new shop had no staff whose permissions could change.
    expect(hired.permissions_changed - start.permissions_changed).toBe(0);
    await signIn(orgId, personId(orgId, 'منى'));
    await fixture.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    const after = counts();
    expect(after.permissions_changed - hired.permissions_changed).toBe(2);
    expect(after.sessions_ended - hired.sessions_ended).toBe(1);
    await fixture.import(changed(file, owner, { name: 'علي', role: 'kitchen' }), { dryRun: true });
    await fixture.import(changed(file, owner, { name: 'علي', role: 'kitchen' }));
    expect(counts()).toEqual(after);
  });

  test('that the file leaves out changes no staff', async () => {
    const { file, slug, orgId } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await fixture.import(file);
    await fixture.import(changed(file, owner));
    const before = await storedOf(orgId);
    const { file: silent } = shopWith(null, slug);
    expect(await fixture.import(silent)).toMatchObject({ created: 0, updated: 0, archived: 0 });
    expect(await storedOf(orgId)).toEqual(before);
  });

  test('can swap e-mail addresses between people, and pass them on', async () => {
    const [a, b] = ['a@trade.example', 'b@trade.example'];
    const { file, orgId } = shopWith([
      owner,
      { name: 'x', role: 'manager', email: a },
      { name: 'y', role: 'manager', email: b },
    ]);
    await fixture.import(file);
    await fixture.import(
      changed(
        file,
        owner,
        { name: 'x', role: 'manager', email: b },
        { name: 'y', role: 'manager', email: a },
      ),
    );
    await fixture.import(
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
    await fixture.import(changed(file, owner, { name: 'x', role: 'manager' }, taking));
    expect((await storedOf(orgId)).filter(({ email }) => email === b)).toHaveLength(2);
  });
});

describe('faults of a staff list', () => {
  const faults = async (file: ShopFile): Promise<string[]> =>
    faultLines(await faultsOfImport(fixture.import(file)));

  test('an invalid role, e-mail address or branch', async () => {
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

  test('a password or a PIN', async () => {
    const { file } = shopWith([{ ...owner, pin: '2468' } as Person]);
    expect(await faults(file)).toEqual(['staff[0].pin: is not a field that is known here']);
  });

  test('an owner with a branch list', async () => {
    const { file } = shopWith([{ ...owner, branches: ['maadi'] }]);
    expect(await faults(file)).toEqual([
      'staff[0].branches: must be left out: an owner has every branch of the shop',
    ]);
  });

  test('two people with one name and no key, or with one e-mail address', async () => {
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

  test('a new name for a person with a stored e-mail address, without the id', async () => {
    const { file, orgId } = shopWith([
      owner,
      { name: 'منى', role: 'manager', email: 'mona@renamed.example' },
    ]);
    await fixture.import(file);
    const [fault] = await faults(
      changed(file, owner, { name: 'منى علي', role: 'manager', email: 'mona@renamed.example' }),
    );
    expect(fault).toContain(`give it \`"id": "${personId(orgId, 'منى')}"\``);
    // Another person in the same role is not a rename.
    await fixture.import(changed(file, owner, { name: 'سارة', role: 'manager' }));
  });

  test('an e-mail address of a person at another shop, stored or in another file of the import', async () => {
    const mine = shopWith([{ ...owner, email: 'n@first.example' }]);
    await fixture.import(mine.file);
    const theirs = shopWith([{ ...owner, email: 'N@first.example' }]);
    expect(await faults(theirs.file)).toEqual(['staff[0].email: is that of someone at another shop']);
    const both = [
      shopWith([{ ...owner, email: 'n@both.example' }]),
      shopWith([{ ...owner, email: 'n@both.example' }]),
    ];
    const given = both.map(({ slug, file }) => ({ name: `${slug}.json`, text: JSON.stringify(file) }));
    expect(faultLines(await faultsOfImport(importShops(fixture, given)))).toEqual([
      'staff[0].email: is that of someone at another shop',
      'staff[0].email: is that of someone at another shop',
    ]);
    // Archiving a person frees the address.
    await fixture.import(changed(mine.file, { name: 'أخرى', role: 'owner' }));
    await fixture.import(theirs.file);
  });

  test('no owner, in a shop that has one', async () => {
    const { file } = shopWith([owner, { name: 'منى', role: 'teller' }]);
    await fixture.import(file);
    const fault = [
      'staff: would leave the shop without an owner; list one, or leave `staff` out to change nobody',
    ];
    expect(await faults(changed(file))).toEqual(fault);
    expect(await faults(changed(file, { ...owner, role: 'manager' }))).toEqual(fault);
    expect(await faults(changed(file, { ...owner, active: false }))).toEqual(fault);
    await fixture.import(changed(file, { name: 'خالد', role: 'owner' }));
  });

  test('no fault if the shop never had an owner', async () => {
    const { file } = shopWith([{ name: 'منى', role: 'teller' }]);
    await fixture.import(file);
    await fixture.import(changed(file));
  });

  test('one e-mail address in two concurrent imports: one import is rejected', async () => {
    const files = [1, 2].map(() => shopWith([{ ...owner, email: 'n@race.example' }]).file);
    const ends = await Promise.allSettled(files.map((file) => fixture.import(file)));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ name: 'ShopFileFaults' });
  });
});
