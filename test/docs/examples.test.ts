/** Runs examples/place-an-order.mjs as a developer would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBranch, aShopFile, openShops } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T12:00:00Z' });
  await openShops(world, aShopFile({ branches: [aBranch({ code: 'ZML' })] }));
});
afterAll(() => world.close());

test('examples/place-an-order.mjs places one order with a code and tracks it', async () => {
  const run = spawn(process.execPath, ['examples/place-an-order.mjs', world.baseUrl], { stdio: 'pipe' });
  let output = '';
  run.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  run.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString();
    if (output.endsWith('The code that was sent: '))
      run.stdin.end(`${world.phones.codeOf('201001234567')}\n`);
  });
  const [code] = (await once(run, 'close')) as [number];
  expect(output).toContain('2 × قهوة تركي at الزمالك: 90.00 EGP');
  expect(output).toContain('Order D-ZML-261120-0001, 90.00 EGP\nIt is received; about 20 minutes.');
  expect(code).toBe(0);
  const { length } = await world.db.kysely.selectFrom('delivery_order').select('id').execute();
  expect(length).toBe(1);
});
