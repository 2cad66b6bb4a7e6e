/** The demo shops in a world, as `npm start` imports them. */
import { demoPlaces, refreshDemo, type DemoPlaces } from '../../../src/service/app/demo.ts';
import { demoActivity, loadDemo } from '../../../src/wiring.ts';
import type { World } from '../server/world.ts';

/** Recreates the orders and bookings of the day, as every start does. */
export const startDay = async (world: World): Promise<DemoPlaces> => {
  await refreshDemo(world.app, demoActivity());
  await world.hearOfChanges();
  return demoPlaces(world.app, demoActivity());
};

/** Imports the demo shops, as the first start does, and creates the day. */
export const openDemo = async (world: World): Promise<DemoPlaces> => {
  await loadDemo(world.app, () => undefined);
  return startDay(world);
};
