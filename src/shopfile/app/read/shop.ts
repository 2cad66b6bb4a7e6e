/** Reads the shop's own fields: brand, links page. */
import { DEFAULT_COLORS } from '../../../kernel/brand.ts';
import { entryPath } from '../../domain/json.ts';
import { DEFAULT_PAYMENT_METHODS, MODULE_KINDS } from '../../../shops/domain/shop.ts';
import { isReservedSlug } from '../../../kernel/slugs.ts';
import { columnsFrom } from '../fields.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage } from '../entity-index.ts';
import { reportDuplicates, type ReadContext } from './context.ts';

/** Default labels. */
export const SOCIAL_LABELS: Readonly<Record<string, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  tiktok: 'TikTok',
  x: 'X',
  youtube: 'YouTube',
  whatsapp: 'WhatsApp',
  website: 'Website',
};

const checkSlugs = ({ file, faults, entityIndex }: ReadContext): void => {
  const slugs = [file.slug, ...(file.former_slugs ?? [])];
  const pathOf = (index: number): string => (index === 0 ? 'slug' : entryPath('former_slugs', index - 1));
  for (const [index, slug] of slugs.entries()) {
    if (isReservedSlug(slug) && !entityIndex.isInvalid(pathOf(index)))
      faults.add(
        pathOf(index),
        `cannot be ‘${slug}’: that is the name of one of the service’s own addresses`,
      );
  }
  reportDuplicates(
    slugs,
    (slug) => slug,
    (index, first) => faults.add(pathOf(index), `is also given at ${pathOf(first)}`),
  );
};

export const readShop = (context: ReadContext): void => {
  const { file, main, rows, faults, now } = context;
  checkSlugs(context);
  checkLanguage(file.name, '', 'name', main, faults);
  const colors = file.brand?.colors ?? DEFAULT_COLORS;
  rows.shop.push({
    slug: file.slug,
    ...nameColumns(file.name, main),
    main_language: main,
    ...columnsFrom('shop', file),
    custom_branding: file.brand?.colors !== undefined,
    background_color: colors.background,
    foreground_color: colors.foreground,
    accent_color: colors.accent,
    digits: file.digits ?? 'latn',
    payment_methods: file.payment_methods ?? DEFAULT_PAYMENT_METHODS,
    is_demo: false,
    created_at: now,
    updated_at: now,
  });
  readLinks(context);
};

/** Default of the links page: every module, in the order of document 1. */
export const ALL_MODULES = MODULE_KINDS.map((kind) => ({ kind }));

const readLinks = ({ file, rows, faults, entityIndex }: ReadContext): void => {
  const links = file.links ?? {};
  const modules: NonNullable<typeof links.modules> = links.modules ?? ALL_MODULES;
  for (const [sort, module] of modules.entries())
    rows.links_module.push({ kind: module.kind, sort, ...columnsFrom('links_module', module) });
  reportDuplicates(
    modules,
    ({ kind }) => kind,
    (index, first) =>
      faults.rule(
        entryPath('links.modules', index),
        'kind',
        `is also at ${entryPath('links.modules', first)}`,
      ),
  );
  for (const [sort, link] of (links.custom ?? []).entries())
    rows.links_custom.push({
      id: entityIndex.idAt(entryPath('links.custom', sort)),
      sort,
      title_en: link.title.en ?? null,
      title_ar: link.title.ar ?? null,
      ...columnsFrom('links_custom', link),
    });
  const socials = links.socials ?? [];
  for (const social of socials) {
    const { key, label = SOCIAL_LABELS[key] ?? key } = social;
    rows.links_social.push({ key, label, ...columnsFrom('links_social', social) });
  }
  reportDuplicates(
    socials,
    ({ key }) => key,
    (index, first) =>
      faults.rule(
        entryPath('links.socials', index),
        'key',
        `is also at ${entryPath('links.socials', first)}`,
      ),
  );
};
