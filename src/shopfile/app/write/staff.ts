import { isRole } from '../../../kernel/permission.ts';
import type { StaffEntry } from '../read/staff.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { ifPresent, liveByName, type WriteContext } from './context.ts';

/** Sorted by name, without passwords and PINs. */
export const writeStaff = (context: WriteContext): StaffEntry[] =>
  liveByName(context.rows.staff).flatMap((person): StaffEntry[] => {
    if (!isRole(person.role)) return [];
    const branches = person.branch_ids?.filter((id) => context.isLive(id));
    return [
      inContractOrder('staff', {
        ...fieldsFrom('staff', person),
        id: person.id,
        role: person.role,
        ...ifPresent('email', person.email),
        ...ifPresent(
          'branches',
          branches?.map((id) => context.refer(id)),
        ),
      }),
    ];
  });
