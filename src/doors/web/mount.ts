/** The pages that guests see, mounted on the HTTP door. */
import type { App } from '../../platform/app/app.ts';
import type { PlainDocument } from '../http/documents.ts';
import type { Pages } from '../http/server.ts';
import { readAssets } from './assets.ts';
import { isAtSlug, leadingToPresentSlug } from './former-slug.ts';
import type { Page, PageParts } from './page.ts';
import { assetsOfAnotherBuild } from './pages/assets-of-another-build.ts';
import { bookPage } from './pages/book.tsx';
import { cardPage } from './pages/card.tsx';
import { docsPages } from './pages/docs.tsx';
import { errorPage } from './pages/error.tsx';
import { itemPage } from './pages/item.tsx';
import { joinPage } from './pages/join.tsx';
import { landingPage } from './pages/landing.tsx';
import { linksPage } from './pages/links.tsx';
import { managePage } from './pages/manage.tsx';
import { manifestFile } from './pages/manifest.ts';
import { menuPage } from './pages/menu.tsx';
import { offlinePage } from './pages/offline.tsx';
import { pictureFiles } from './pages/pictures.ts';
import { shopSitemap } from './pages/shop-sitemap.ts';
import { trackPage } from './pages/track.tsx';
import { orderPage } from './pages/order.tsx';
import { tablePage } from './pages/table.tsx';
import { serviceFiles } from './service-files.ts';

const DECLARED: readonly Page[] = [
  landingPage,
  ...docsPages,
  linksPage,
  bookPage,
  managePage,
  joinPage,
  cardPage,
  menuPage,
  itemPage,
  trackPage,
  orderPage,
  tablePage,
  manifestFile,
  shopSitemap,
  offlinePage,
  ...assetsOfAnotherBuild,
  ...pictureFiles,
];

const PAGES = DECLARED.map((page) => (isAtSlug(page) ? leadingToPresentSlug(page) : page));

export interface MountedPages {
  readonly pages: Pages;
  readonly documents: readonly PlainDocument[];
}

export interface PageSources {
  /** The folder that the build has written. */
  readonly assets: string;
  readonly demo: PageParts['demo'];
}

export const mountPages = (app: App, { assets: folder, demo }: PageSources): MountedPages => {
  const assets = readAssets(folder);
  const parts = { app, assets, baseUrl: app.baseUrl, demo };
  return {
    pages: {
      endpoints: Object.fromEntries(PAGES.map(({ endpoint }) => [endpoint.id, endpoint])),
      handlers: Object.fromEntries(PAGES.map(({ endpoint, handler }) => [endpoint.id, handler(parts)])),
      errorPage: errorPage(parts),
    },
    documents: [...assets.documents, ...serviceFiles(app.baseUrl)],
  };
};
