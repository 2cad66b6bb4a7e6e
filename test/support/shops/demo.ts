/** The demo shops in a world, as `npm start` imports them. */
import { demoContents, refreshDemo, type DemoContents } from '../../../src/service/app/demo.ts';
import { demoActivity, loadDemo } from '../../../src/wiring.ts';
import { copyOf, freshDatabase, type TestDatabase } from '../database/test-database.ts';
import { makeWorld, type World, type WorldOptions } from '../server/world.ts';

/** Imports the demo shops, as the first start does. */
export const importDemo = async ({ app }: World): Promise<void> => {
  await loadDemo(app, () => undefined);
};

/** Recreates the orders and bookings of the day, as every start does. */
export const startDay = async (world: World): Promise<DemoContents> => {
  await refreshDemo(world.app, demoActivity(), world.log);
  await world.hearOfChanges();
  return demoContents(world.app, demoActivity());
};

const importIntoNew = async (): Promise<TestDatabase> => {
  const database = await freshDatabase();
  const world = await makeWorld({ database });
  await importDemo(world);
  await world.close();
  return database;
};

let imported: Promise<TestDatabase> | null = null;

/** A world with the demo shops and a day: a copy of what this worker imports once. */
export const makeDemo = async (
  options: WorldOptions = {},
): Promise<{ readonly world: World; readonly demo: DemoContents }> => {
  const template = await (imported ??= importIntoNew());
  const world = await makeWorld({ ...options, makeDatabase: () => copyOf(template) });
  return { world, demo: await startDay(world) };
};
