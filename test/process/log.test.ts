/** The log of a server: JSON lines that lead from an answer to its cause, without personal data. */
import { onTestFinished, expect, test } from 'vitest';
import pg from 'pg';
import { aShopFile, branchId } from '../support/shops/cafe.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { freshDatabase } from '../support/database/test-database.ts';
import { useProgram, urlOf } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');
const MENU = `/public/branches/${branchId()}/menu`;
const CANARY = '+201001234567';

test('an unexpected fault is logged with the request id of its answer, without phones or queries', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.release());
  const DATABASE_URL = urlOf(database.connection);
  const server = await bench.serve({ DATABASE_URL });
  await bench.ahwa(['import', '-'], { DATABASE_URL }, JSON.stringify(aShopFile()));
  const client = new pg.Client({ connectionString: urlOf(database.owner) });
  await client.connect();
  await client.query(`
    create function breaks() returns boolean language plpgsql as
      $$ begin raise exception 'no such guest: ${CANARY}, 01001234567'; end $$`);
  await client.query('alter table branch rename to branch_kept');
  await client.query('create view branch as select * from branch_kept where breaks()');
  await client.end();

  const broken = await httpRequest(server.port, `${MENU}?channel=pickup&preview=true`, {
    headers: { 'x-device-token': 'canary-of-a-token' },
  });
  expect(broken.status).toBe(500);
  expect(broken.text).not.toContain('1001234567');
  const requestId = broken.headers['x-request-id'];
  const line = server.log().find(({ request_id }) => request_id === requestId);
  expect(line).toMatchObject({ level: 'error', msg: 'unexpected fault' });
  expect(JSON.stringify(line)).toContain('no such guest');
  expect(broken.body).toEqual({ error: `Something went wrong on our side. Request ${String(requestId)}.` });

  const refused = await server.get('/public/orgs/brand?slug=canary-of-a-query&slug=again');
  expect(refused.status).toBe(400);
  const output = server.stdout() + server.stderr();
  for (const canary of ['1001234567', 'preview=true', 'canary-of-a-token', 'canary-of-a-query'])
    expect(output).not.toContain(canary);
});

test('every log line is JSON with level, time and message; LOG_LEVEL filters the lines', async () => {
  const server = await bench.serve({ NODE_ENV: 'production', DEMO: '', SECRET_KEY: 'k'.repeat(32) });
  const lines = server.stdout().trim().split('\n');
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^(info|warn|error)$/) as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      msg: expect.any(String) as string,
    });
  const quiet = bench.launch({
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    DEMO: '',
    SECRET_KEY: 'k'.repeat(32),
  });
  quiet.signal('SIGTERM');
  expect((await quiet.ended).stdout).toBe('');
});
