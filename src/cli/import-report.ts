/** What an import did, or would do, in lines for the person who imports. */
import type { ImportReport } from '../app/shopfile.ts';

/** What an import did to one shop, thing by thing on a dry run. */
export const describeReport = (report: ImportReport, dryRun: boolean): string => {
  const { slug, created, updated, archived, unchanged, stateKept } = report;
  const counts = `${created} new, ${updated} changed, ${archived} archived, ${unchanged} as before`;
  return [
    `${slug}: ${counts}${dryRun ? ' (nothing was written)' : ''}`,
    ...(dryRun ? report.things.map((thing) => `  ${thing.op} ${thing.kind} ${thing.name}`) : []),
    ...(dryRun && report.things.length === 0 ? ['  nothing changes'] : []),
    ...report.notes.map((note) => `  ${note}`),
    ...(stateKept === 0 ? [] : [`  ${stateKept} running states were left as they are; --state sets them`]),
  ].join('\n');
};
