/** What devices hold of people (Decisions 13): who may work at the branch, and how to verify their PIN offline. */
import type { Static } from 'typebox';
import { permissionsInForce } from '../../kernel/permission.ts';
import { smallSource, type FeedSource } from '../../platform/app/feed.ts';
import type { FeedStaff } from '../contract/feed.ts';
import { mayAtBranch } from '../domain/staff.ts';
import { activeStaffOf, type SignInRow } from '../store/staff.ts';
import type { Passwords } from './passwords.ts';

const rowOf = (passwords: Passwords, person: SignInRow): Static<typeof FeedStaff> => ({
  ...{ id: person.id, name: person.name, role: person.role },
  permissions: [...permissionsInForce(person.role, false)],
  pin: person.pinHash === null ? null : passwords.verifierOf(person.pinHash),
});

export const staffFeed = (passwords: Passwords): FeedSource =>
  smallSource(['staff'], async (tx, { orgId, branchId }) =>
    (await activeStaffOf(tx, orgId))
      .filter((person) => mayAtBranch(person, branchId))
      .map((person) => rowOf(passwords, person)),
  );
