/** Brings the island of a page to life: the same component that the server drew, with the same data. */
import { hydrate, type ComponentType } from 'preact';
import { createClient, type Client } from '../../../client/client.ts';
import type { Language } from '../../../kernel/names.ts';
import { ReaderContext, type Reader } from '../components/reader.ts';

interface IslandData<Props> {
  readonly reader: Reader;
  readonly props: Props;
}

/** After that long without the head of an answer a request is given up: a network can be there and never answer. */
const PATIENCE_MS = 20_000;

const fetchInTime: typeof fetch = async (input, init) => {
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  const timer = window.setTimeout(giveUp, PATIENCE_MS);
  init?.signal?.addEventListener('abort', giveUp);
  try {
    return await fetch(input, { ...init, signal: patience.signal });
  } finally {
    window.clearTimeout(timer);
  }
};

/** The public API of this very server. */
export const clientFor = (language: Language): Client =>
  createClient({
    baseUrl: '',
    fetch: fetchInTime,
    headers: { 'Accept-Language': language },
  });

/** `data-alive` on the document says that the page answers to taps. */
export const startIsland = <Props extends object>(Island: ComponentType<Props>): void => {
  const root = document.getElementById('island');
  const data = document.getElementById('island-data')?.textContent;
  if (root === null || data == null) return;
  const { reader, props } = JSON.parse(data) as IslandData<Props>;
  hydrate(
    <ReaderContext.Provider value={reader}>
      <Island {...props} />
    </ReaderContext.Provider>,
    root,
  );
  document.documentElement.dataset['alive'] = '';
};
