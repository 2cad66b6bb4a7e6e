import type { App } from '../../platform/app/app.ts';
import { getBranchMenu, getTableMenu } from './menu.ts';
import { getBranchSale, setAvailability, setChannelMode, setStock } from './sale-control.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({
  getBranchMenu: getBranchMenu(app),
  getTableMenu: getTableMenu(app),
  setChannelMode: setChannelMode(app),
  setAvailability: setAvailability(app),
  setStock: setStock(app),
  getBranchSale: getBranchSale(app),
});
