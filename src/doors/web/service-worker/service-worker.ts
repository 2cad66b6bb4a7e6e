/** Keeps the menus that were seen last, with their styles, scripts and pictures, for when there is no network. */

/** The part of the worker's scope that is used; the library of browser types has pages alone. */
interface WorkerScope {
  readonly location: Location;
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent & LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
const worker = globalThis as unknown as WorkerScope;

const OFFLINE = '/assets/offline';
/** The page that says that there is no network, with the styles that it names. */
const OFFLINE_CACHE = 'offline-1';

/** After that long without an answer a copy is shown. */
const PATIENCE_MS = 5000;

/** A cache, and how many answers it holds: the oldest go. */
interface Shelf {
  readonly name: string;
  readonly most: number;
  readonly holds: (url: URL) => boolean;
  /** The address names the content, so that a copy is never old. */
  readonly isOfFiles?: true;
}
const SHELVES: readonly Shelf[] = [
  { name: 'pages-1', most: 30, holds: ({ pathname }) => /^\/[^/]+\/menu(\/|$)|^\/t\//.test(pathname) },
  {
    ...{ name: 'menus-1', most: 10 },
    holds: ({ pathname }) => /^\/public\/(branches|tables)\/[^/]+\/menu$/.test(pathname),
  },
  // Apart from the pictures, which are many. Two builds have fewer files, so those of older ones go.
  { name: 'assets-1', most: 80, isOfFiles: true, holds: ({ pathname }) => pathname.startsWith('/assets/') },
  {
    name: 'pictures-1',
    most: 200,
    isOfFiles: true,
    holds: ({ pathname }) => pathname.startsWith('/pictures/'),
  },
];

const keep = async (shelf: Shelf, request: Request, response: Response): Promise<void> => {
  const cache = await worker.caches.open(shelf.name);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, response);
  const kept = await cache.keys();
  await Promise.all(
    kept.slice(0, Math.max(0, kept.length - shelf.most)).map((oldest) => cache.delete(oldest)),
  );
};

/** Throws without network. */
const keepOfflinePage = async (): Promise<void> => {
  const page = await fetch(OFFLINE);
  if (!page.ok) throw new Error(`${OFFLINE} answered ${page.status}`);
  const html = await page.clone().text();
  const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href);
  const cache = await worker.caches.open(OFFLINE_CACHE);
  const named = new Set([OFFLINE, ...styles]);
  await cache.addAll(styles);
  await cache.put(OFFLINE, page);
  const older = (await cache.keys()).filter(({ url }) => !named.has(new URL(url).pathname));
  await Promise.all(older.map((each) => cache.delete(each)));
};

/** Whatever language it was asked in: the last one. */
const kept = (request: Request | string): Promise<Response | undefined> =>
  worker.caches.match(request, { ignoreVary: true });

/** The page says that it is a copy. */
const asCopy = async (page: Response): Promise<Response> => {
  const html = (await page.text()).replace(' id="offline"', ' id="offline" data-copy');
  return new Response(html.replace(/(data-copy[^>]*?) hidden/, '$1'), { headers: page.headers });
};

const copyOf = async (request: Request): Promise<Response | undefined> => {
  const copy = await kept(request);
  return copy !== undefined && request.mode === 'navigate' ? asCopy(copy) : copy;
};

/** What is kept of a fresh answer. An address that names a language changes that of the offline page. */
const keepFresh = async (shelf: Shelf | undefined, request: Request, fresh: Response): Promise<void> => {
  if (fresh.ok && shelf !== undefined) await keep(shelf, request, fresh);
  if (request.mode === 'navigate' && new URL(request.url).searchParams.has('lang')) await keepOfflinePage();
};

/** The way to the menu of an item whose own page was not seen. */
const menuOf = async ({ url }: Request): Promise<Response | undefined> => {
  const { pathname, search } = new URL(url);
  const [, menu] = /^(\/[^/]+\/menu)\/[^/]+$/.exec(pathname) ?? [];
  if (menu === undefined) return undefined;
  return (await kept(menu + search)) === undefined ? undefined : Response.redirect(menu + search);
};

/** The fresh answer; the copy, if the server fails or takes too long; a page without copy says so without network. */
const readFresh = async (shelf: Shelf | undefined, event: FetchEvent): Promise<Response> => {
  const { request } = event;
  const asked = fetch(request);
  const keeping = asked.then((fresh) => keepFresh(shelf, request, fresh.clone()));
  event.waitUntil(keeping.catch(() => undefined));
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const inTime = await Promise.race([asked.catch(() => null), late]);
  if (inTime !== null && inTime.status < 500) return inTime;
  const copy = shelf === undefined ? undefined : await copyOf(request);
  if (copy !== undefined) return copy;
  try {
    return await asked;
  } catch (fault) {
    const page = request.mode === 'navigate' ? ((await menuOf(request)) ?? (await kept(OFFLINE))) : undefined;
    if (page === undefined) throw fault;
    return page;
  }
};

const readFile = async (shelf: Shelf, event: FetchEvent): Promise<Response> => {
  const known = await kept(event.request);
  if (known !== undefined) return known;
  const fresh = await fetch(event.request);
  if (fresh.ok) event.waitUntil(keep(shelf, event.request, fresh.clone()));
  return fresh;
};

worker.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  const current = new Set([OFFLINE_CACHE, ...SHELVES.map(({ name }) => name)]);
  const clean = async (): Promise<void> => {
    const names = await worker.caches.keys();
    await Promise.all(names.filter((name) => !current.has(name)).map((name) => worker.caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

/** The addresses of a page that was loaded before this worker, and of what it has loaded. */
worker.addEventListener('message', (event) => {
  const addresses = (event.data as readonly string[]).filter((address) => typeof address === 'string');
  const keepSeen = async (address: string): Promise<void> => {
    const shelf = SHELVES.find(({ holds }) => holds(new URL(address)));
    if (shelf === undefined) return;
    const request = new Request(address, { headers: { Accept: 'text/html,*/*' } });
    const response = await fetch(request);
    if (response.ok) await keep(shelf, request, response);
  };
  event.waitUntil(Promise.allSettled(addresses.map(keepSeen)));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  const shelf = SHELVES.find(({ holds }) => holds(url));
  if (shelf?.isOfFiles === true) event.respondWith(readFile(shelf, event));
  else if (shelf !== undefined || request.mode === 'navigate') event.respondWith(readFresh(shelf, event));
});
