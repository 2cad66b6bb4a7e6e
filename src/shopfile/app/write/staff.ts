import { isRole } from '../../../kernel/permission.ts';
import type { StaffEntry } from '../read/staff.ts';
import { given, named, unless, type Writing } from './writing.ts';

/** By name, without a trace of passwords and PINs. */
export const writeStaff = (writing: Writing): StaffEntry[] =>
  named(writing.rows.staff).flatMap((person): StaffEntry[] => {
    if (!isRole(person.role)) return [];
    const branches = person.branch_ids?.filter((id) => writing.isLive(id));
    return [
      {
        id: person.id,
        name: person.name,
        role: person.role,
        ...given('email', person.email),
        ...given(
          'branches',
          branches?.map((id) => writing.refer(id)),
        ),
        ...unless(true, 'active', person.is_active),
      },
    ];
  });
