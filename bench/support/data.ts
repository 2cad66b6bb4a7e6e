/** Lays data down before the server is started, by the program's own use cases. */
import type { App } from '../../src/platform/app/app.ts';
import { layOutDemo } from '../../src/service/app/demo.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { loadConfig } from '../../src/config.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { bringUpToDate } from '../../src/serve.ts';
import { demoActivity, loadDemo, openHouse } from '../../src/wiring.ts';

const silent = (): void => undefined;

/**
 * Opens the data of a folder beside a server or without one: makes what is missing, does `work`, and lets go. The
 * embedded PostgreSQL stays up meanwhile.
 */
export const withApp = async <T>(dataDir: string, work: (app: App) => Promise<T>): Promise<T> => {
  const house = await openHouse(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), 'command', silent);
  try {
    await bringUpToDate(house);
    return await work(house.app);
  } finally {
    await house.close();
  }
};

/** The demo shops with today's orders and bookings. */
export const addDemo = async (app: App): Promise<void> => {
  await loadDemo(app, silent);
  await layOutDemo(app, demoActivity());
};

export const addShops = async (app: App, ...shops: readonly ShopFile[]): Promise<void> => {
  await importShops(
    app,
    shops.map((shop) => ({ name: `${shop.slug}.json`, text: JSON.stringify(shop) })),
  );
};
