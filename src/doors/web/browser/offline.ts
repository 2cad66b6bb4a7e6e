/** The service worker keeps the last seen menu; the page says when it is such a copy. */

const tell = (): void => {
  const notice = document.getElementById('offline');
  if (notice !== null) notice.hidden = navigator.onLine && notice.dataset['copy'] === undefined;
};

/** The guest has asked the browser to load little. */
export const savesData = (): boolean =>
  'connection' in navigator && (navigator.connection as { readonly saveData?: boolean }).saveData === true;

/** A page that was loaded before the worker began is handed to it, with what it loads until `more` has come. */
const startWorker = async (workers: ServiceWorkerContainer, more: Promise<unknown> | null): Promise<void> => {
  const wasThere = workers.controller !== null;
  await workers.register('/service-worker.js');
  const { active } = await workers.ready;
  await more;
  if (wasThere) return;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.href, ...loaded.filter((name) => name.startsWith(location.origin))]);
};

export const keepForOffline = (more: Promise<unknown> | null): void => {
  // Without `more` the page is handed over all the same.
  const loaded = more?.catch(() => undefined) ?? null;
  if ('serviceWorker' in navigator) startWorker(navigator.serviceWorker, loaded).catch(() => undefined);
  tell();
  for (const event of ['online', 'offline']) window.addEventListener(event, tell);
};
