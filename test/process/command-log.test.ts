/** Commands log to standard error, so that standard output is only the result. */
import { beforeAll, expect, test } from 'vitest';
import { shopId, aShopFile } from '../support/shops/cafe.ts';
import { eventsIn } from '../support/server/security-events.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');
const owner = { key: 'owner', name: 'نادية', role: 'owner', email: 'owner@beit.example' } as const;

beforeAll(async () => {
  await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile({ staff: [owner] })));
});

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('{'));

test('a new password is logged to standard error without the password; standard output has one sentence', async () => {
  const { stdout, stderr } = await bench.ahwa(
    ['staff', 'password', 'beit-el-bunn', 'owner@beit.example'],
    {},
    'canary of a password\n',
  );
  expect(stdout).toBe('نادية has a new password; earlier sign-ins of theirs have ended.\n');
  expect(eventsIn(linesOf(stderr), 'credentials_changed')).toMatchObject([
    { org_id: shopId(), what: 'password', by: 'operator' },
  ]);
  for (const canary of ['canary', 'owner@beit.example', 'scrypt']) expect(stderr).not.toContain(canary);
});

test('an import that changes permissions logs the event to standard error', async () => {
  const staff = [owner, { name: 'منى', role: 'manager' as const }];
  const { code, stdout, stderr } = await bench.ahwa(
    ['import', '-'],
    {},
    JSON.stringify(aShopFile({ staff })),
  );
  expect([code, linesOf(stdout)]).toEqual([0, []]);
  expect(stdout).toMatch(/^beit-el-bunn: 1 new/);
  expect(eventsIn(linesOf(stderr), 'permissions_changed')).toMatchObject([{ change: 'created' }]);
});
