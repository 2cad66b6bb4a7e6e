/** Items open in a sheet; the search. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Menu, MenuItem } from '../components/deal-text.ts';
import { itemHref, itemIn } from '../components/item-address.ts';
import { ItemDetails } from '../components/item-details.tsx';
import type { MenuIslandProps } from '../components/menu-list.tsx';
import { useMessages, useReader } from '../components/reader.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import { menuLoader } from './menu-loader.ts';
import { MenuSearch } from './menu-search.tsx';
import { keepForOffline, savesData } from './offline.ts';
import { Sheet } from './sheet.tsx';
import { clientFor, startIsland } from './start.tsx';
import { endWaiting, showWaiting, tapped } from './tap.ts';

/** What the tap that started the script was on: the address of an item, the search; null: it was no tap. */
export interface FirstTap {
  readonly opens: string | null;
}

interface MenuProps extends MenuIslandProps {
  readonly first: FirstTap;
}

interface OpenItem {
  readonly menu: Menu;
  readonly item: MenuItem;
}

/** The item whose address is shown. A tap on its link opens it, the browser's back button closes it. */
const useOpenItem = (
  { menuPath, first }: Pick<MenuProps, 'menuPath' | 'first'>,
  loadMenu: () => Promise<Menu>,
): OpenItem | null => {
  const [open, setOpen] = useState<OpenItem | null>(null);
  useEffect(() => {
    const find = async (path: string): Promise<OpenItem> => {
      const menu = await loadMenu();
      const item = menu.items.find(({ id }) => id === itemIn(path));
      if (item === undefined) throw new Error('the item has left the menu');
      return { menu, item };
    };
    let latest = '';
    /** Of several taps, while the menu is still to come, the last one counts. */
    const openAt = (href: string): void => {
      const isAwaited = latest === href;
      latest = href;
      if (isAwaited) return;
      find(new URL(href).pathname).then(
        (found) => {
          if (latest !== href) return;
          latest = '';
          history.pushState(null, '', href);
          setOpen(found);
          endWaiting();
        },
        // The page of the item says why.
        () => {
          if (latest !== href) return;
          latest = '';
          endWaiting();
          location.assign(href);
        },
      );
    };
    const onClick = (event: MouseEvent): void => {
      const link = tapped(event, 'a.item');
      if (!(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      showWaiting(link);
      openAt(link.href);
    };
    const onPop = (): void => {
      if (!location.pathname.startsWith(`${menuPath}/`)) setOpen(null);
      else find(location.pathname).then(setOpen, () => location.reload());
    };
    document.addEventListener('click', onClick);
    window.addEventListener('popstate', onPop);
    if (first.opens !== null && first.opens !== 'search') openAt(first.opens);
    return () => {
      document.removeEventListener('click', onClick);
      window.removeEventListener('popstate', onPop);
    };
  }, [menuPath, first, loadMenu]);
  return open;
};

const HEADING = 'item';

const MenuIsland = ({ branchId, menuPath, query, orderPath, first }: MenuProps) => {
  const { language } = useReader();
  const t = useMessages(messages);
  const loadMenu = useMemo(
    () => menuLoader(clientFor(language), { path: { id: branchId } }),
    [branchId, language],
  );
  const open = useOpenItem({ menuPath, first }, loadMenu);
  // With the menu, which items and search need, also of a menu that is seen again without network.
  useEffect(() => keepForOffline(savesData() ? null : loadMenu()), [loadMenu]);
  return (
    <>
      <MenuSearch loadMenu={loadMenu} opensAtOnce={first.opens === 'search'} />
      {open !== null && (
        <Sheet
          headingId={HEADING}
          onClose={() => history.back()}
          footer={
            orderPath !== null && (
              <a class="button wide" href={orderPath}>
                {t.orderThis}
              </a>
            )
          }
        >
          <ItemDetails
            menu={open.menu}
            item={open.item}
            hrefOf={({ id }) => itemHref(menuPath, id, query)}
            headingId={HEADING}
          />
        </Sheet>
      )}
    </>
  );
};

export const startMenu = (first: FirstTap): void =>
  startIsland((props: MenuIslandProps) => <MenuIsland {...props} first={first} />);
