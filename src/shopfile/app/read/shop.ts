/** Reads the shop's own fields: brand, links page, loyalty. */
import type { ShopFile } from '../../contract/shopfile.ts';
import { DEFAULT_COLORS } from '../../../kernel/brand.ts';
import { entryPath } from '../../domain/json.ts';
import { DEFAULT_PAYMENT_METHODS, MODULE_KINDS } from '../../../shops/domain/shop.ts';
import { isReservedSlug } from '../../../kernel/slugs.ts';
import { columnsFrom } from '../fields.ts';
import { languagesOf, nameColumns, type LocalText } from '../localized.ts';
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
  readLoyalty(context);
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

/** A program's name has one Arabic column and one for all other languages (Shapes, CardBrand). */
const programName = (name: LocalText, { main, faults }: ReadContext) => {
  const texts = languagesOf(name, main);
  const everybody = main === 'ar' ? 'en' : main;
  for (const language of Object.keys(texts)) {
    if (language !== 'ar' && language !== everybody && language !== main)
      faults.add(`loyalty.program_name.${language}`, `cannot be kept: only ar and ${everybody} can`);
  }
  return {
    program_name: texts[everybody] ?? texts[main] ?? '',
    program_name_ar: texts['ar'] ?? null,
  };
};

const readLoyalty = (context: ReadContext): void => {
  const { file, main, rows, faults, entityIndex } = context;
  const loyalty: NonNullable<ShopFile['loyalty']> | undefined = file.loyalty;
  if (loyalty === undefined) return;
  checkLanguage(loyalty.program_name, 'loyalty', 'program_name', main, faults);
  rows.loyalty_program.push({
    ...columnsFrom('loyalty_program', loyalty),
    mode: loyalty.mode,
    ...programName(loyalty.program_name, context),
    birthday_enabled: loyalty.birthday?.enabled ?? false,
    birthday_reward_amount: loyalty.birthday?.amount ?? null,
  });
  for (const [sort, reward] of (loyalty.rewards ?? []).entries())
    rows.loyalty_reward.push({
      id: entityIndex.idAt(entryPath('loyalty.rewards', sort)),
      ...nameColumns(reward.name, main),
      ...columnsFrom('loyalty_reward', reward),
      sort,
      archived_at: null,
    });
};
