/** Search in the menu that the server has drawn: what does not match is hidden. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { matchesSearch, searchText } from '../../../kernel/search-text.ts';
import type { Menu, MenuItem } from '../components/deal-text.ts';
import { figure } from '../components/format.ts';
import { Icon } from '../components/icon.tsx';
import { itemIn } from '../components/item-address.ts';
import { SearchButton } from '../components/menu-list.tsx';
import { useMessages, useReader } from '../components/reader.ts';
import { menu as messages } from '../messages/compiled/menu.ts';

type Named = Pick<MenuItem, 'name' | 'name_translations'>;

const wordsOf = ({ name, name_translations: others }: Named): readonly string[] => [
  name,
  ...Object.values(others),
];

/** Everything that an item is found by, in every language. */
const searchTexts = (menu: Menu): ReadonlyMap<string, string> =>
  new Map(
    menu.items.map((item) => {
      const category = menu.categories.find(({ id }) => id === item.category_id);
      const descriptions = [item.description ?? '', ...Object.values(item.description_translations ?? {})];
      const words = [...wordsOf(item), ...descriptions, ...(category === undefined ? [] : wordsOf(category))];
      return [item.id, searchText(words.join(' '))];
    }),
  );

/** Shows the items of `ids` alone; null: all. Returns how many are shown. */
const show = (ids: ReadonlySet<string> | null): number => {
  let shown = 0;
  for (const section of document.querySelectorAll<HTMLElement>('.section')) {
    const items = [...section.querySelectorAll<HTMLLIElement>('li')];
    for (const item of items) {
      const id = itemIn(item.querySelector('a')?.pathname ?? '');
      item.hidden = ids !== null && (id === null || !ids.has(id));
      if (!item.hidden) shown += 1;
    }
    section.hidden = items.every(({ hidden }) => hidden);
  }
  for (const offers of document.querySelectorAll<HTMLElement>('.offers')) offers.hidden = ids !== null;
  return shown;
};

/** To the field when the search opens, to the button when it closes. Returns the ref of the field. */
const useFocus = (isOpen: boolean) => {
  const input = useRef<HTMLInputElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) input.current?.focus();
    else if (wasOpen.current) document.querySelector<HTMLElement>('.search-open')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return input;
};

interface MenuSearchProps {
  readonly loadMenu: () => Promise<Menu>;
  readonly opensAtOnce: boolean;
}

export const MenuSearch = ({ loadMenu, opensAtOnce }: MenuSearchProps) => {
  const reader = useReader();
  const t = useMessages(messages);
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const [texts, setTexts] = useState<ReadonlyMap<string, string> | null>(null);
  const [found, setFound] = useState<number | null>(null);
  const input = useFocus(isOpen);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const query = searchText(text);
    if (query === '' || texts === null) {
      show(null);
      setFound(null);
      return;
    }
    const ids = [...texts].filter(([, words]) => matchesSearch(words, query)).map(([id]) => id);
    setFound(show(new Set(ids)));
  }, [text, texts]);

  const load = (): void => {
    setHasFailed(false);
    loadMenu().then(
      (menu) => setTexts(searchTexts(menu)),
      () => setHasFailed(true),
    );
  };
  const open = (): void => {
    setIsOpen(true);
    load();
  };
  useEffect(() => {
    if (opensAtOnce) open();
  }, []);
  const close = (): void => {
    setIsOpen(false);
    setText('');
  };
  if (!isOpen) return <SearchButton onClick={open} />;
  return (
    <search class="search">
      <input
        ref={input}
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={text}
        autocomplete="off"
        enterkeyhint="search"
        onInput={(event) => {
          setText(event.currentTarget.value);
          if (hasFailed) load();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      />
      <button type="button" onClick={close}>
        <Icon name="close" />
        <span class="visually-hidden">{t.closeSearch}</span>
      </button>
      <p role="status" class={hasFailed ? 'failed' : found === 0 ? 'muted' : 'visually-hidden'}>
        {hasFailed ? t.searchFailed : found !== null && t.found({ count: found, n: figure(reader, found) })}
      </p>
    </search>
  );
};
