/** Rules for staff in the database and in other files of the import. */
import type { Uuid } from '../../kernel/ids.ts';
import type { SecurityFacts } from '../../platform/domain/security-event.ts';
import type { EmailOwner } from '../store/shopfile.ts';
import type { Row, ShopRows } from '../store/tables.ts';
import type { ParsedFile } from './conflicts.ts';
import type { EntityChange } from './change-details.ts';

type Person = Row<'staff'>;

/** Sorted and distinct. */
export const emailsIn = (files: readonly ParsedFile[]): string[] =>
  [...new Set(files.flatMap(({ rows }) => rows.staff.flatMap(({ email }) => email ?? [])))].sort();

/** An e-mail address signs in one person, so it cannot be used in two shops. */
export const checkEmails = (files: readonly ParsedFile[], owners: readonly EmailOwner[]): void => {
  const takenBy = new Map<string, Uuid[]>();
  const take = (email: string, orgId: Uuid): void => {
    takenBy.set(email, [...(takenBy.get(email) ?? []), orgId]);
  };
  for (const { email, org_id } of owners) take(email, org_id);
  for (const { rows, entityIndex } of files)
    for (const { email } of rows.staff) if (email !== null) take(email, entityIndex.shopId);
  for (const { rows, entityIndex, faults } of files) {
    const pathOf = new Map(entityIndex.entities.map(({ id, path }) => [id, path]));
    for (const { id, email } of rows.staff) {
      const isTaken = email !== null && takenBy.get(email)?.some((orgId) => orgId !== entityIndex.shopId);
      if (isTaken === true)
        faults.rule(pathOf.get(id) ?? 'staff', 'email', 'is that of someone at another shop');
    }
  }
};

const isOwner = ({ role, is_active, archived_at }: Person): boolean =>
  role === 'owner' && is_active && archived_at === null;

/** A shop must keep one owner, because only an owner can restore access. */
export const checkOwners = ({ hasStaffList, rows, faults }: ParsedFile, before: ShopRows): void => {
  if (!hasStaffList || !before.staff.some(isOwner) || rows.staff.some(isOwner)) return;
  faults.add(
    'staff',
    'would leave the shop without an owner; list one, or leave `staff` out to change nobody',
  );
};

type Rows = readonly Readonly<Record<string, unknown>>[];

const idsOf = (rows: Rows): Uuid[] => rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));

/** Archived staff lose password and PIN. */
export const archivedIds = (updated: Rows): Uuid[] =>
  idsOf(updated.filter((row) => row['archived_at'] !== null));

/** Archived or deactivated staff lose their sessions. */
export const leavingIds = (updated: Rows): Uuid[] =>
  idsOf(updated.filter((row) => row['archived_at'] !== null || row['is_active'] === false));

const PERMISSION_ASPECTS = ['role', 'branches', 'active', 'email', 'back from the archive'];

/** None for a new shop, which had no staff before. */
export const permissionChanges = (entities: readonly EntityChange[]): SecurityFacts[] =>
  entities.some(({ kind, op }) => kind === 'shop' && op === 'created')
    ? []
    : entities
        .filter(({ kind }) => kind === 'staff')
        .map(({ id, op, aspects }) => ({
          staff_id: id,
          change: op,
          aspects: aspects.filter((aspect) => PERMISSION_ASPECTS.includes(aspect)).join(', '),
        }))
        .filter(({ change, aspects }) => change !== 'updated' || aspects !== '');
