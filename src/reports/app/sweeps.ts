/** Work of reports that falls due by the clock. */
import { branchScope } from '../../kernel/change.ts';
import { addMinutes } from '../../kernel/time.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { forEachOf, hourly, type Sweep } from '../../platform/app/sweep.ts';
import { learnedMinutes } from '../domain/prep-minutes.ts';
import { learningBranches, madeBetween, setLearned } from '../store/reports.ts';

const DAYS_LEARNED_FROM = 14;

/** The estimate of a branch follows what its kitchen took lately. */
const learn: Sweep['run'] = async (app, isStopped) => {
  const now = app.clock.now();
  const span = { start: addMinutes(now, -DAYS_LEARNED_FROM * 24 * 60), end: now };
  await forEachOf(await learningBranches(app.db.kysely), async (_, { orgId, id, learned }) => {
    const made = await madeBetween(app.db.kysely, { orgId, branchId: id }, span);
    const minutes = learnedMinutes(made.map(({ actualMinutes }) => actualMinutes));
    if (minutes === null || minutes === learned) return;
    await commitAndPublish(app, async (tx, log) => {
      await setLearned(tx, { orgId, id }, minutes);
      log.add(orgId, { scope: branchScope(id), type: 'branch_settings', id, op: 'upsert' });
    });
  })(app, isStopped);
};

export const sweeps: readonly Sweep[] = hourly({ 'estimates of kitchens': learn });
