/** The service worker keeps the last seen menu; the page says when it is such a copy. */

const tell = (): void => {
  const notice = document.getElementById('offline');
  if (notice !== null) notice.hidden = navigator.onLine && notice.dataset['copy'] === undefined;
};

/** A page that was loaded before the worker began is handed to it. */
const startWorker = async (workers: ServiceWorkerContainer): Promise<void> => {
  const wasThere = workers.controller !== null;
  await workers.register('/service-worker.js');
  const { active } = await workers.ready;
  if (wasThere) return;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.href, ...loaded.filter((name) => name.startsWith(location.origin))]);
};

export const keepForOffline = (): void => {
  if ('serviceWorker' in navigator) startWorker(navigator.serviceWorker).catch(() => undefined);
  tell();
  for (const event of ['online', 'offline']) window.addEventListener(event, tell);
};
