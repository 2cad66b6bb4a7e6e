/** Reads weekly hours and dated overrides of a branch's services. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { parseWallTime } from '../../../kernel/time.ts';
import { WEEKDAYS } from '../../contract/shopfile.ts';
import type { BranchEntry, ReadContext } from './context.ts';

export type HoursEntries = NonNullable<BranchEntry['online_hours']>;
export type DatedEntries = NonNullable<BranchEntry['online_dated_hours']>;

/** All online channels, one channel, or booking. */
export type Service = 'online' | 'pickup' | 'outside' | 'in_mall' | 'umbrella' | 'booking';

const minutes = (text: string): number => parseWallTime(text) ?? 0;

/** One row per day and range (Decisions 6: several a day). */
export const readWeekly = (
  { faults, rows }: ReadContext,
  branchId: Uuid,
  service: Service,
  entries: HoursEntries,
  path: string,
): void => {
  const taken = new Map<string, string>();
  for (const [index, { days = WEEKDAYS, open, close }] of entries.entries()) {
    const at = entryPath(path, index);
    const free = days.filter((day) => !taken.has(`${day} ${open}`));
    const double = days.find((day) => taken.has(`${day} ${open}`));
    if (double !== undefined)
      faults.rule(at, 'open', `is on ${double} an opening of ${taken.get(`${double} ${open}`) ?? ''} too`);
    for (const day of free) {
      taken.set(`${day} ${open}`, at);
      rows.opening_hours.push({
        branch_id: branchId,
        service,
        dow: WEEKDAYS.indexOf(day),
        opens: minutes(open),
        closes: minutes(close),
      });
    }
  }
};

const lastOf = ({ from, to }: DatedEntries[number]): string => to ?? from;

export const readDated = (
  { faults, rows }: ReadContext,
  branchId: Uuid,
  service: Service,
  entries: DatedEntries,
  path: string,
): void => {
  for (const [sort, { from, to, hours, note }] of entries.entries()) {
    const at = entryPath(path, sort);
    if (to !== undefined && to < from) faults.rule(at, 'to', 'is before `from`');
    const earlier = entries.findIndex((other) => other.from === from && lastOf(other) === (to ?? from));
    if (earlier < sort)
      faults.rule(at, 'from', `is for the same dates as ${entryPath(path, earlier)}: keep one of them`);
    const opens = hours.map(({ open }) => open);
    for (const [index, open] of opens.entries()) {
      if (opens.indexOf(open) < index)
        faults.rule(entryPath(fieldPath(at, 'hours'), index), 'open', 'is an opening twice on these dates');
    }
    rows.dated_hours.push({
      branch_id: branchId,
      service,
      sort,
      from_date: from,
      to_date: to ?? from,
      ranges: hours.map(({ open, close }) => ({ open: minutes(open), close: minutes(close) })),
      note: note ?? null,
    });
  }
};
