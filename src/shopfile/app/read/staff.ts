/** Who works in the shop. */
import { entryPath } from '../../domain/json.ts';
import { emailForm } from '../../../staff/domain/staff.ts';
import { reportRepeats, resolveEach, type Entry, type Reading } from './reading.ts';

export type StaffEntry = Entry<NonNullable<Reading['file']['staff']>>;

const pathOf = (index: number): string => entryPath('staff', index);

/** The branches that an entry names, in one order whatever the file's; null for every branch. */
const branchesOf = (reading: Reading, { role, branches }: StaffEntry, path: string): string[] | null => {
  if (branches === undefined) return null;
  const found = resolveEach(reading, 'branch', branches, `${path}.branches`);
  if (role === 'owner')
    reading.faults.rule(path, 'branches', 'must be left out: an owner has every branch of the shop');
  return found.map(({ id }) => id).sort();
};

/** Without a list nothing is said of the shop's staff. */
export const readStaff = (reading: Reading): void => {
  const { file, rows, register, faults, now } = reading;
  const staff: readonly StaffEntry[] = file.staff ?? [];
  for (const [index, entry] of staff.entries())
    rows.staff.push({
      id: register.idAt(pathOf(index)),
      name: entry.name,
      role: entry.role,
      email: entry.email === undefined ? null : emailForm(entry.email),
      branch_ids: branchesOf(reading, entry, pathOf(index)),
      is_active: entry.active ?? true,
      created_at: now,
      archived_at: null,
    });
  const withEmail = [...staff.entries()].filter(([, { email }]) => email !== undefined);
  reportRepeats(
    withEmail,
    ([, { email }]) => emailForm(email ?? ''),
    (at, first) => {
      const [index, earlier] = [withEmail[at]?.[0] ?? 0, withEmail[first]?.[0] ?? 0];
      faults.rule(pathOf(index), 'email', `is also that of ${pathOf(earlier)}`);
    },
  );
};
