import type { App } from '../../platform/app/app.ts';
import { getBrand, getLinks, listBranches } from './shop.ts';

export const handlers = (app: App) => ({
  getBrand: getBrand(app),
  getLinks: getLinks(app),
  listBranches: listBranches(app),
});
