/** What Citus does with the statements of frequent requests: each asks one node, and the record says so. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshDatabase, withAdmin } from '../support/database/test-database.ts';
import { makeWorld } from '../support/server/world.ts';
import { explained, faultOf } from './explain.ts';
import { sentForHotRequests } from './hot.ts';
import { RECORD, statementsIn } from './planned.ts';

test('Citus plans each statement of a frequent request for one node', async () => {
  const database = await freshDatabase();
  const world = await makeWorld({ limitScale: 1_000, database });
  const statements = statementsIn(await sentForHotRequests(world));
  const faults = await withAdmin({ connection: database.owner }, async (client) => {
    const found: string[] = [];
    for (const { request, ...sent } of statements.values()) {
      const plan = await explained(client, sent);
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
