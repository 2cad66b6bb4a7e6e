/** `/{slug}/menu`: the menu as it is eaten in. */
import { nameIn } from '../../../kernel/names.ts';
import { sectionsOf } from '../components/menu-list.tsx';
import { taglineIn, translated } from '../components/names.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, slugIn } from '../shop-frame.ts';
import { menuData } from '../structured-data.ts';
import { manifestAddress } from './manifest.ts';
import { branchQuery, menuIsland, MenuView, readBranchMenu } from './menu-page.tsx';

export const menuPage: Page = {
  endpoint: pageEndpoint('menuPage', '/{slug}/menu', { query: ['branch'], limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const answer = await readBranchMenu(parts, { slug: slugIn(input) }, input.query['branch']);
    const { brand } = answer.body.page;
    const reader = readerOf(input, brand);
    const t = messages[reader.language];
    const name = translated(reader.language, brand);
    const body = shopDocument(parts, input, brand, {
      reader,
      title: `${t.menu} · ${name}`,
      description: taglineIn(reader.language, answer.body.page) ?? t.menuOf({ shop: name }),
      canonical: `/${brand.slug ?? ''}/menu${branchQuery(answer.body)}`,
      styles: ['menu'],
      body: <MenuView shown={answer.body} />,
      island: menuIsland(answer.body, false),
      structuredData: menuData(parts, answer.body.page, {
        reader,
        name: `${name} · ${nameIn(reader.language, answer.body.branch)}`,
        sections: sectionsOf(answer.body.menu, reader),
      }),
      manifest: manifestAddress(brand, reader.language),
    });
    return { ...answer, body };
  },
};
