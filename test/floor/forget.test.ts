/** What guests wrote on tickets (Decisions 12). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { aStaffedWorld, signInAs } from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import type { World } from '../support/server/world.ts';

const HOUR = 60 * 60_000;

let world: World;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
});
afterAll(() => world.close());

const sweep = async (): Promise<void> => {
  const process = sweepingProcess(world);
  await process.sweeper.sweep();
  expect(process.logged).toEqual([]);
  await process.close();
};

const stored = async (id: string): Promise<string> => {
  const { rows } = await sql`
    select t.*, (select json_agg(i) from ticket_item i where i.org_id = t.org_id and i.ticket_id = t.id) as items from ticket t where t.id = ${id}
  `.execute(world.db.kysely);
  return JSON.stringify(rows);
};

test('the words of a ticket’s guests are forgotten a day after it has ended, and not before', async () => {
  const floor = ticketsBy(world, await signInAs(world, 'owner'));
  const [line] = coffees(1);
  const words = { customer_name: 'منى السيد', notes: 'حساسية لبن' };
  const input = { menu_item_id: line?.menu_item_id ?? '', quantity: 1, notes: 'سكر زيادة' };
  const [open, ended] = [
    await floor.open({ ...words, items: [input] }),
    await floor.open({ ...words, items: [input] }),
  ];
  await floor.void(ended);
  world.now += 23 * HOUR;
  await sweep();
  expect(await stored(ended.id)).toContain('منى');
  world.now += 2 * HOUR;
  await sweep();
  for (const word of [words.customer_name, words.notes, input.notes]) {
    expect(await stored(ended.id)).not.toContain(word);
    expect(await stored(open.id)).toContain(word);
  }
});
