/** The demo shops in a world, as `npm start` lays them out. */
import { demoPlaces, layOutDemo, type DemoPlaces } from '../../src/service/app/demo.ts';
import { demoActivity, loadDemo } from '../../src/wiring.ts';
import type { World } from './world.ts';

/** Lays the day out again, as every start does. */
export const startDay = async (world: World): Promise<DemoPlaces> => {
  await layOutDemo(world.app, demoActivity());
  await world.hearOfChanges();
  return demoPlaces(world.app, demoActivity());
};

/** The first start on an empty database. */
export const openDemo = async (world: World): Promise<DemoPlaces> => {
  await loadDemo(world.app, () => undefined);
  return startDay(world);
};
