/** `/t/{table}`: the menu that the QR code on a table opens. */
import { parseUuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { combineAnswers } from '../../../platform/app/answer.ts';
import { getTableOnly } from '../../../floor/app/dining-table.ts';
import { translated } from '../components/names.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument } from '../shop-frame.ts';
import { menuIsland, MenuView, readBranchMenu } from './menu-page.tsx';

export const tablePage: Page = {
  endpoint: pageEndpoint('tablePage', '/t/{table}', { limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const id = parseUuid(input.path['table'] ?? '');
    if (id === null) throw new Refusal('NOT_FOUND');
    const table = await getTableOnly(parts.app)({ path: { id } });
    const { org_id, branch_id, label } = table.body;
    const shown = await readBranchMenu(parts, { org_id }, branch_id);
    const { brand } = shown.body.page;
    const reader = readerOf(input, brand);
    const t = messages[reader.language];
    const body = shopDocument(parts, input, brand, {
      reader,
      title: `${t.table({ table: label })} · ${translated(reader.language, brand)}`,
      canonical: null,
      styles: ['menu'],
      body: <MenuView shown={shown.body} table={label} />,
      island: menuIsland(shown.body, true),
    });
    return combineAnswers(body, table, shown);
  },
};
