import type { Client, RequestOf } from '../../../client/client.ts';
import type { Menu } from '../components/deal-text.ts';

/** Loads a menu as it is now, like the page: once, at the first need; after a failure again at the next one. */
export const menuLoader = (client: Client, request: RequestOf<'getBranchMenu'>): (() => Promise<Menu>) => {
  let loading: Promise<Menu> | null = null;
  const load = async (): Promise<Menu> => {
    const { body } = await client.getBranchMenu({ ...request, cache: 'no-cache' });
    if (body === null) throw new Error('the menu was not sent');
    return body;
  };
  return () =>
    (loading ??= load().catch((fault: unknown) => {
      loading = null;
      throw fault;
    }));
};
