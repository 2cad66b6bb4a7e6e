/** The demo shops in a world, as `npm start` imports them. */
import { demoContents, refreshDemo, type DemoContents } from '../../../src/service/app/demo.ts';
import { demoActivity, loadDemo } from '../../../src/wiring.ts';
import type { World } from '../server/world.ts';

/** Recreates the orders and bookings of the day, as every start does. */
export const startDay = async (world: World): Promise<DemoContents> => {
  await refreshDemo(world.app, demoActivity());
  await world.hearOfChanges();
  return demoContents(world.app, demoActivity());
};

/** Imports the demo shops, as the first start does, and creates the day. */
export const openDemo = async (world: World): Promise<DemoContents> => {
  await loadDemo(world.app, () => undefined);
  return startDay(world);
};
