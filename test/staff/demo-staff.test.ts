/** The staff of the demo shops, who sign in as the README beside their files describes. */
import { aChangePublisher } from '../support/server/change-publisher.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { picturesBeside } from '../../src/adapters/picture-folder.ts';
import { createPictureRenderer } from '../../src/adapters/picture-renderer.ts';
import { markAsDemo } from '../../src/service/app/demo.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { authenticate, type StaffDeps } from '../../src/staff/app/access.ts';
import { makePairingCode, pairDevice } from '../../src/staff/app/devices.ts';
import { pinSignIn, signIn } from '../../src/staff/app/sign-in.ts';
import { connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { orgIdBySlug } from '../../src/shops/store/shop.ts';
import { staffOf } from '../../src/staff/store/staff.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase } from '../support/database/test-database.ts';
import { watchEvents } from '../support/server/security-events.ts';
import { staffParts } from '../support/people/staff-use-cases.ts';

const NOW = Date.parse('2026-11-20T18:00:00Z');

test('demo owners sign in with the documented password, all demo staff with the documented PIN', async () => {
  const database = await freshDatabase();
  const db = connect<Database>(database.connection, PATIENT);
  try {
    const deps: StaffDeps = {
      db,
      clock: { now: () => NOW },
      ...staffParts(),
      security: watchEvents(),
    };
    const files = readdirSync('shops').filter(
      (name) => name.endsWith('.json') && name !== 'demo-activity.json',
    );
    await importShops(
      { ...deps, changePublisher: aChangePublisher(), pictureRenderer: createPictureRenderer() },
      files.map((name) => ({
        ...{ name, text: readFileSync(`shops/${name}`, 'utf8'), folder: picturesBeside('shops') },
      })),
    );
    const slugs = files.map((name) => name.replace('.json', ''));
    await markAsDemo(deps, slugs);
    for (const slug of slugs) {
      const entering = signIn(deps)({
        email: `owner@${slug}.example`,
        password: 'ahwa-demo',
        client: 'here',
      });
      if (slug === 'kashk') {
        await expect(entering).rejects.toMatchObject({ refusal: 'ORG_SUSPENDED' });
        continue;
      }
      const owner = await authenticate(deps).staff((await entering).token);
      const orgId = await orgIdBySlug(db.kysely, slug);
      if (owner === null || orgId === null) throw new Error(`${slug} has no owner`);
      expect(owner).toMatchObject({ orgId, role: 'owner' });
      const everybody = await staffOf(db.kysely, orgId);
      const roles = new Set(everybody.map(({ role }) => role));
      expect([...roles].sort()).toEqual(['kitchen', 'manager', 'owner', 'teller', 'waiter']);
      const branches = await db.kysely
        .selectFrom('branch')
        .select('id')
        .where('org_id', '=', orgId)
        .execute();
      for (const { id } of branches) {
        const code = await makePairingCode(deps)(owner, { branch_id: id, label: 'الكاشير' });
        const { device_token, staff } = await pairDevice(deps)(code);
        expect(staff.map(({ role }) => role)).toContain('teller');
        const device = await authenticate(deps).device(device_token);
        if (device === null) throw new Error('a new device’s token names none');
        for (const person of staff)
          await pinSignIn(deps)(device, { staff_id: person.id, pin: '2468', client: '198.51.100.7' });
      }
    }
  } finally {
    await db.close();
    await database.release();
  }
});
