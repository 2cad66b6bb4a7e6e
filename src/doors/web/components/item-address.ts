/** The address of an item's page, and back. */
import { parseId, shortId } from '../../../kernel/ids.ts';

/** `menuPath`: of the menu's page; `query`: `?…` or empty. */
export const itemHref = (menuPath: string, id: string, query: string): string =>
  `${menuPath}/${shortId(id)}${query}`;

/** The id in the path of an item's page; null: none. */
export const itemIn = (path: string): string | null => parseId(path.split('/').at(-1) ?? '');
