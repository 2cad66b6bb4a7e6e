import type { Client, RequestOf } from '../../../client/client.ts';
import type { Menu } from '../components/deal-text.ts';

/** Loads a menu as it is now, like the page: once, at the first need; after a failure again at the next one. */
const loadingOnce = (read: () => Promise<{ readonly body: Menu | null }>): (() => Promise<Menu>) => {
  let loading: Promise<Menu> | null = null;
  const load = async (): Promise<Menu> => {
    const { body } = await read();
    if (body === null) throw new Error('the menu was not sent');
    return body;
  };
  return () =>
    (loading ??= load().catch((fault: unknown) => {
      loading = null;
      throw fault;
    }));
};

export const menuLoader = (client: Client, request: RequestOf<'getBranchMenu'>): (() => Promise<Menu>) =>
  loadingOnce(() => client.getBranchMenu({ ...request, cache: 'no-cache' }));

export const tableMenuLoader = (client: Client, id: string): (() => Promise<Menu>) =>
  loadingOnce(() => client.getTableMenu({ path: { id }, cache: 'no-cache' }));
