/** What must hold of a shop's staff beyond their own file: e-mail addresses are one person's, and an owner remains. */
import type { Uuid } from '../../kernel/ids.ts';
import type { SecurityFacts } from '../../platform/domain/security-event.ts';
import type { EmailOwner } from '../store/shopfile.ts';
import type { Row, ShopRows } from '../store/tables.ts';
import type { Described } from './against.ts';
import type { ThingChange } from './details.ts';

type Person = Row<'staff'>;

/** Every e-mail address that the files give someone, in one order. */
export const emailsIn = (files: readonly Described[]): string[] =>
  [...new Set(files.flatMap(({ rows }) => rows.staff.flatMap(({ email }) => email ?? [])))].sort();

/** An address that someone of another shop has, stored or in a file given with this one, signs that person in. */
export const checkEmails = (files: readonly Described[], owners: readonly EmailOwner[]): void => {
  const takenBy = new Map<string, Uuid[]>();
  const take = (email: string, orgId: Uuid): void => {
    takenBy.set(email, [...(takenBy.get(email) ?? []), orgId]);
  };
  for (const { email, org_id } of owners) take(email, org_id);
  for (const { rows, register } of files)
    for (const { email } of rows.staff) if (email !== null) take(email, register.shopId);
  for (const { rows, register, faults } of files) {
    const pathOf = new Map(register.things.map(({ id, path }) => [id, path]));
    for (const { id, email } of rows.staff) {
      const isTaken = email !== null && takenBy.get(email)?.some((orgId) => orgId !== register.shopId);
      if (isTaken === true)
        faults.rule(pathOf.get(id) ?? 'staff', 'email', 'is that of someone at another shop');
    }
  }
};

const isOwner = ({ role, is_active, archived_at }: Person): boolean =>
  role === 'owner' && is_active && archived_at === null;

/** A shop that has an owner keeps one: nobody else could let people in again. */
export const checkOwners = ({ speaksOfStaff, rows, faults }: Described, before: ShopRows): void => {
  if (!speaksOfStaff || !before.staff.some(isOwner) || rows.staff.some(isOwner)) return;
  faults.add(
    'staff',
    'would leave the shop without an owner; list one, or leave `staff` out to change nobody',
  );
};

type Written = readonly Readonly<Record<string, unknown>>[];

const idsOf = (rows: Written): Uuid[] => rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));

/** Whoever an import archives; back from there they need a new password and PIN. */
export const archived = (written: Written): Uuid[] =>
  idsOf(written.filter((row) => row['archived_at'] !== null));

/** Whoever an import archives or switches off; their sign-ins end with it. */
export const leaving = (written: Written): Uuid[] =>
  idsOf(written.filter((row) => row['archived_at'] !== null || row['is_active'] === false));

/** Aspects of a person that decide who may do what, and at which branch. */
const PERMISSION_ASPECTS = ['role', 'branches', 'active', 'email', 'back from the archive'];

/** What an import changed of what people may do. In a new shop there is nobody yet who could have done anything. */
export const permissionChanges = (things: readonly ThingChange[]): SecurityFacts[] =>
  things.some(({ kind, op }) => kind === 'shop' && op === 'created')
    ? []
    : things
        .filter(({ kind }) => kind === 'staff')
        .map(({ id, op, aspects }) => ({
          staff_id: id,
          change: op,
          aspects: aspects.filter((aspect) => PERMISSION_ASPECTS.includes(aspect)).join(', '),
        }))
        .filter(({ change, aspects }) => change !== 'updated' || aspects !== '');
