/** `/t/{table}`: the menu that the QR code on a table opens; guests order from it and see their running bill. */
import { parseUuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { combineAnswers } from '../../../platform/app/answer.ts';
import { getTableOnly } from '../../../floor/app/dining-table.ts';
import { Icon } from '../components/icon.tsx';
import { translated } from '../components/names.ts';
import { useMessages } from '../components/reader.ts';
import { BILL_PLACE, type TableIslandProps } from '../components/table.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import { table as words } from '../messages/compiled/table.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument } from '../shop-frame.ts';
import { menuIsland, MenuView, readBranchMenu } from './menu-page.tsx';

/** Without a script the menu can be read, and the staff take the order. */
const Closed = () => {
  const t = useMessages(words);
  return (
    <p class="notice">
      <Icon name="clock" />
      {t.closed}
    </p>
  );
};

const islandOf = (tableId: string) => ({
  name: 'table',
  props: { tableId } satisfies TableIslandProps,
});

export const tablePage: Page = {
  endpoint: pageEndpoint('tablePage', '/t/{table}', { limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const id = parseUuid(input.path['table'] ?? '');
    if (id === null) throw new Refusal('NOT_FOUND');
    const table = await getTableOnly(parts.app)({ path: { id } });
    const { org_id, branch_id, label, table_id: tableId, accepting } = table.body;
    const shown = await readBranchMenu(parts, { org_id }, branch_id);
    const { brand } = shown.body.page;
    const reader = readerOf(input, brand);
    const t = messages[reader.language];
    const body = shopDocument(parts, input, brand, {
      reader,
      title: `${t.table({ table: label })} · ${translated(reader.language, brand)}`,
      canonical: null,
      styles: accepting ? ['menu', 'order'] : ['menu'],
      body: (
        <MenuView shown={shown.body} table={label}>
          {accepting ? <div id={BILL_PLACE} /> : <Closed />}
        </MenuView>
      ),
      island: accepting ? islandOf(tableId) : menuIsland(shown.body, true),
    });
    return combineAnswers(body, table, shown);
  },
};
