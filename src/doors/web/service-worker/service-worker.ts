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

/** A cache, and how many answers it holds: the oldest go. */
interface Shelf {
  readonly name: string;
  readonly most: number;
  readonly holds: (url: URL) => boolean;
}
const PAGES: Shelf = {
  name: 'pages-1',
  most: 30,
  holds: ({ pathname }) => /^\/[^/]+\/menu(\/|$)|^\/t\//.test(pathname),
};
const MENUS: Shelf = {
  name: 'menus-1',
  most: 10,
  holds: ({ pathname }) => /^\/public\/(branches|tables)\/[^/]+\/menu$/.test(pathname),
};
/** The address names the content. */
const FILES: Shelf = {
  name: 'files-1',
  most: 200,
  holds: ({ pathname }) => /^\/(assets|pictures)\//.test(pathname),
};
const SHELVES = [PAGES, MENUS, FILES];

const keep = async (shelf: Shelf, request: Request, response: Response): Promise<void> => {
  const cache = await worker.caches.open(shelf.name);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, response);
  const kept = await cache.keys();
  await Promise.all(
    kept.slice(0, Math.max(0, kept.length - shelf.most)).map((oldest) => cache.delete(oldest)),
  );
};

/** Whatever language it was asked in: the last one. */
const kept = (request: Request | string): Promise<Response | undefined> =>
  worker.caches.match(request, { ignoreVary: true });

/** The page says that it is a copy. */
const asCopy = async (page: Response): Promise<Response> => {
  const html = (await page.text()).replace(' id="offline"', ' id="offline" data-copy');
  return new Response(html.replace(/(data-copy[^>]*?) hidden/, '$1'), { headers: page.headers });
};

const readFresh = async (shelf: Shelf, event: FetchEvent): Promise<Response> => {
  const { request } = event;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) event.waitUntil(keep(shelf, request, fresh.clone()));
    if (fresh.status < 500) return fresh;
    return (await copyOf(request)) ?? fresh;
  } catch (fault) {
    const copy = (await copyOf(request)) ?? (request.mode === 'navigate' ? await kept(OFFLINE) : undefined);
    if (copy === undefined) throw fault;
    return copy;
  }
};

const copyOf = async (request: Request): Promise<Response | undefined> => {
  const copy = await kept(request);
  return copy !== undefined && request.mode === 'navigate' ? asCopy(copy) : copy;
};

const readFile = async (shelf: Shelf, event: FetchEvent): Promise<Response> => {
  const known = await kept(event.request);
  if (known !== undefined) return known;
  const fresh = await fetch(event.request);
  if (fresh.ok) event.waitUntil(keep(shelf, event.request, fresh.clone()));
  return fresh;
};

worker.addEventListener('install', (event) => {
  const prepare = async (): Promise<void> => {
    const cache = await worker.caches.open(FILES.name);
    await cache.add(OFFLINE);
    await worker.skipWaiting();
  };
  event.waitUntil(prepare());
});

worker.addEventListener('activate', (event) => {
  const current = new Set(SHELVES.map(({ name }) => name));
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
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== worker.location.origin) return;
  const shelf = SHELVES.find(({ holds }) => holds(url));
  if (shelf === undefined) {
    // Other pages are always fresh; without network they are the page that says so.
    if (event.request.mode === 'navigate')
      event.respondWith(
        fetch(event.request).catch(async (fault: unknown) => {
          const page = await kept(OFFLINE);
          if (page === undefined) throw fault;
          return page;
        }),
      );
    return;
  }
  event.respondWith(shelf === FILES ? readFile(shelf, event) : readFresh(shelf, event));
});
