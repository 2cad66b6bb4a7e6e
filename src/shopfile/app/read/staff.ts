/** Reads the shop's staff. */
import { entryPath } from '../../domain/json.ts';
import { emailForm } from '../../../staff/domain/staff.ts';
import { columnsFrom } from '../fields.ts';
import { reportDuplicates, resolveAll, type Entry, type ReadContext } from './context.ts';

export type StaffEntry = Entry<NonNullable<ReadContext['file']['staff']>>;

const pathOf = (index: number): string => entryPath('staff', index);

/** Sorted branch ids; null for every branch. */
const branchesOf = (context: ReadContext, { role, branches }: StaffEntry, path: string): string[] | null => {
  if (branches === undefined) return null;
  const found = resolveAll(context, 'branch', branches, `${path}.branches`);
  if (role === 'owner')
    context.faults.rule(path, 'branches', 'must be left out: an owner has every branch of the shop');
  return found.map(({ id }) => id).sort();
};

export const readStaff = (context: ReadContext): void => {
  const { file, rows, entityIndex, faults, now } = context;
  const staff: readonly StaffEntry[] = file.staff ?? [];
  for (const [index, entry] of staff.entries())
    rows.staff.push({
      id: entityIndex.idAt(pathOf(index)),
      ...columnsFrom('staff', entry),
      role: entry.role,
      email: entry.email === undefined ? null : emailForm(entry.email),
      branch_ids: branchesOf(context, entry, pathOf(index)),
      created_at: now,
      archived_at: null,
    });
  const withEmail = [...staff.entries()].filter(([, { email }]) => email !== undefined);
  reportDuplicates(
    withEmail,
    ([, { email }]) => emailForm(email ?? ''),
    (at, first) => {
      const [index, earlier] = [withEmail[at]?.[0] ?? 0, withEmail[first]?.[0] ?? 0];
      faults.rule(pathOf(index), 'email', `is also that of ${pathOf(earlier)}`);
    },
  );
};
