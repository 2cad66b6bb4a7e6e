/** `ahwa shop` on a real database. */
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from '../../../test/support/server/world.ts';
import { aShopFile, openShops, shopId } from '../../../test/support/shops/cafe.ts';
import { shopCommands } from './shop.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile());
});
afterAll(() => world.close());

const ahwa = async (...args: readonly string[]): Promise<string> => {
  const printed: string[] = [];
  const program = new Command('ahwa');
  shopCommands(
    program,
    (work) => work({ app: world.app, ...world.database }),
    (text) => printed.push(text),
  );
  await program.parseAsync(['shop', ...args], { from: 'user' });
  return printed.join('\n');
};

test('rename says where old addresses lead and what to write into the shop file; again it changes nothing', async () => {
  expect(await ahwa('rename', 'beit-el-bunn', 'bunn-house')).toBe(
    [
      'beit-el-bunn is bunn-house now; addresses with beit-el-bunn lead there.',
      `Write \`"slug": "bunn-house"\` and \`"id": "${shopId()}"\` into the shop file: with beit-el-bunn an import renames it back.`,
    ].join('\n'),
  );
  expect(await ahwa('rename', 'beit-el-bunn', 'bunn-house')).toBe(
    'The shop has the address name bunn-house already; nothing was changed.',
  );
});

test('rename to a slug that cannot be had is one sentence', async () => {
  await expect(ahwa('rename', 'bunn-house', 'menu')).rejects.toMatchObject({
    name: 'Error',
    message: '‘menu’ is the name of one of the service’s own addresses.',
  });
});

test('remove wants a shop that is closed, and says how many rows it has removed', async () => {
  await expect(ahwa('remove', 'bunn-house')).rejects.toThrow(
    'bunn-house is open; nothing was changed. A shop is removed when it has moved away: `ahwa backup --org bunn-house --close` closes it, and is the last copy of what is removed.',
  );
  await ahwa('close', 'bunn-house');
  expect(await ahwa('remove', 'bunn-house')).toMatch(
    /^bunn-house is removed: \d+ rows of \d+ tables\. Backups /,
  );
  await expect(ahwa('remove', 'bunn-house')).rejects.toThrow('bunn-house');
});
