/** Creates data before the server starts, through the program's use cases. */
import type { App } from '../../src/platform/app/app.ts';
import { refreshDemo } from '../../src/service/app/demo.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { loadConfig } from '../../src/config.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { prepareDatabase } from '../../src/serve/prepare-database.ts';
import { demoActivity, loadDemo, openRuntime } from '../../src/wiring.ts';

const silent = (): void => undefined;

/** Runs `work` on a data folder, which it creates and migrates if needed; a server may run on it. */
export const withApp = async <T>(dataDir: string, work: (app: App) => Promise<T>): Promise<T> => {
  const runtime = await openRuntime(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), 'command', silent);
  try {
    await prepareDatabase(runtime);
    return await work(runtime.app);
  } finally {
    await runtime.close();
  }
};

export const addDemo = async (app: App): Promise<void> => {
  await loadDemo(app, silent);
  await refreshDemo(app, demoActivity(), {
    warn: (fields, message) => {
      console.warn(message, fields);
    },
  });
};

export const addShops = async (app: App, ...shops: readonly ShopFile[]): Promise<void> => {
  await importShops(
    app,
    shops.map((shop) => ({ name: `${shop.slug}.json`, text: JSON.stringify(shop) })),
  );
};
