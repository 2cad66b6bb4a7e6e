/** What Citus does with the statements of frequent requests: each asks one node, and the record says so. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshDatabase, withAdmin } from '../support/database/test-database.ts';
import { makeWorld } from '../support/server/world.ts';
import type { Sent } from '../support/statements/sent.ts';
import { sentForHotRequests } from './hot.ts';
import { RECORD, statementsIn } from './planned.ts';

const depthOf = (line: string): number => line.search(/\S/);

/** Citus sends what a part of a statement has made to all nodes where another part inserts with it. */
const insertsWhatIsMade = (plan: string): boolean => {
  const lines = plan.split('\n');
  return lines.some((line, place) => {
    if (!line.includes('INSERT/SELECT method: pull to coordinator')) return false;
    const after = lines.slice(place + 1);
    const end = after.findIndex((other) => depthOf(other) < depthOf(line));
    return after
      .slice(0, end === -1 ? undefined : end)
      .some((other) => other.includes('read_intermediate_result'));
  });
};

/** Null: one node has all that is asked. */
const faultOf = (plan: string): string | null => {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.some((count) => count > 1)) return 'it asks several shards';
  return insertsWhatIsMade(plan) ? 'an insert reads what another part of the statement has made' : null;
};

test('Citus plans each statement of a frequent request for one node', async () => {
  const database = await freshDatabase();
  const world = await makeWorld({ limitScale: 1_000, database });
  const statements = statementsIn(await sentForHotRequests(world));
  const faults = await withAdmin({ connection: database.owner }, async (client) => {
    const explained = async ({ text, values }: Sent): Promise<string> => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [
        ...values,
      ]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const found: string[] = [];
    for (const { request, ...sent } of statements.values()) {
      const plan = await explained(sent);
      const fault = faultOf(plan);
      if (fault !== null) found.push(`${request}: ${fault}\n${sent.text}\n${plan}`);
    }
    return found;
  });
  await world.close();
  await database.release();
  expect(faults).toEqual([]);
  const record = { planned: [...statements.keys()].toSorted(), unplanned: [] };
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
});
