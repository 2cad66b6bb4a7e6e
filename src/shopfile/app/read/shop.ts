/** The shop itself: brand, links page, loyalty. */
import type { ShopFile } from '../../contract/shopfile.ts';
import { DEFAULT_COLORS } from '../../../kernel/brand.ts';
import { STANDARD_BRAKE } from '../../../orders/domain/brake.ts';
import { entryPath } from '../../domain/json.ts';
import { DEFAULT_PAYMENT_METHODS, MODULE_KINDS } from '../../../shops/domain/shop.ts';
import { isReservedSlug } from '../../../kernel/slugs.ts';
import { languagesOf, nameColumns, type LocalText } from '../localized.ts';
import { checkLanguage } from '../register.ts';
import { reportRepeats, type Reading } from './reading.ts';

/** What a social link is called where the file does not say. */
export const SOCIAL_LABELS: Readonly<Record<string, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  tiktok: 'TikTok',
  x: 'X',
  youtube: 'YouTube',
  whatsapp: 'WhatsApp',
  website: 'Website',
};

const checkSlugs = ({ file, faults, register }: Reading): void => {
  const slugs = [file.slug, ...(file.former_slugs ?? [])];
  const pathOf = (index: number): string => (index === 0 ? 'slug' : entryPath('former_slugs', index - 1));
  for (const [index, slug] of slugs.entries()) {
    if (isReservedSlug(slug) && !register.isWrong(pathOf(index)))
      faults.add(
        pathOf(index),
        `cannot be ‘${slug}’: that is the name of one of the service’s own addresses`,
      );
  }
  reportRepeats(
    slugs,
    (slug) => slug,
    (index, first) => faults.add(pathOf(index), `is also given at ${pathOf(first)}`),
  );
};

/** What is left out is the standard; null is no limit. */
const brakeColumns = (brake: ShopFile['order_brake']) => {
  const { open_orders: open = STANDARD_BRAKE.openOrders, orders_per_day: day = STANDARD_BRAKE.ordersPerDay } =
    brake ?? {};
  return { brake_open_orders: open, brake_orders_per_day: day };
};

export const readShop = (reading: Reading): void => {
  const { file, main, rows, faults, now } = reading;
  const { brand, links } = file;
  checkSlugs(reading);
  checkLanguage(file.name, '', 'name', main, faults);
  const colors = brand?.colors ?? DEFAULT_COLORS;
  rows.shop.push({
    slug: file.slug,
    ...nameColumns(file.name, main),
    main_language: main,
    is_active: file.active ?? true,
    custom_branding: brand?.colors !== undefined,
    logo_is_mark: brand?.logo_is_mark ?? false,
    logo_url: brand?.logo_url ?? null,
    background_color: colors.background,
    foreground_color: colors.foreground,
    accent_color: colors.accent,
    card_image_url: brand?.card_image_url ?? null,
    cover_image_url: links?.cover_image_url ?? null,
    tagline_ar: links?.tagline?.ar ?? null,
    tagline_en: links?.tagline?.en ?? null,
    show_branches: links?.show_branches ?? true,
    digits: file.digits ?? 'latn',
    payment_methods: file.payment_methods ?? DEFAULT_PAYMENT_METHODS,
    ...brakeColumns(file.order_brake),
    is_demo: false,
    created_at: now,
    updated_at: now,
  });
  readLinks(reading);
  readLoyalty(reading);
};

/** The links page shows every module, in the order of document 1, until the shop says otherwise. */
export const ALL_MODULES = MODULE_KINDS.map((kind) => ({ kind }));

const readLinks = ({ file, rows, faults, register }: Reading): void => {
  const links = file.links ?? {};
  const modules: NonNullable<typeof links.modules> = links.modules ?? ALL_MODULES;
  for (const [sort, { kind, visible }] of modules.entries())
    rows.links_module.push({ kind, sort, visible: visible ?? true });
  reportRepeats(
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
      id: register.idAt(entryPath('links.custom', sort)),
      sort,
      title_en: link.title.en ?? null,
      title_ar: link.title.ar ?? null,
      href: link.href,
      visible: link.visible ?? true,
    });
  const socials = links.socials ?? [];
  for (const { key, label, url, visible } of socials)
    rows.links_social.push({ key, label: label ?? SOCIAL_LABELS[key] ?? key, url, visible: visible ?? true });
  reportRepeats(
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

/** A program's name is kept once for Arabic and once for everybody else (Shapes, CardBrand). */
const programName = (name: LocalText, { main, faults }: Reading) => {
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

const readLoyalty = (reading: Reading): void => {
  const { file, main, rows, faults, register } = reading;
  const loyalty: NonNullable<ShopFile['loyalty']> | undefined = file.loyalty;
  if (loyalty === undefined) return;
  checkLanguage(loyalty.program_name, 'loyalty', 'program_name', main, faults);
  rows.loyalty_program.push({
    enabled: loyalty.enabled,
    mode: loyalty.mode,
    ...programName(loyalty.program_name, reading),
    earn_piastres_per_point: loyalty.earn_piastres_per_point ?? 1000,
    default_reward_cost: loyalty.default_reward_cost ?? 100,
    earn_on_tax: loyalty.earn_on_tax ?? false,
    birthday_enabled: loyalty.birthday?.enabled ?? false,
    birthday_reward_amount: loyalty.birthday?.amount ?? null,
    terms: loyalty.terms?.en ?? null,
    terms_ar: loyalty.terms?.ar ?? null,
  });
  for (const [sort, { name, cost }] of (loyalty.rewards ?? []).entries())
    rows.loyalty_reward.push({
      id: register.idAt(entryPath('loyalty.rewards', sort)),
      ...nameColumns(name, main),
      cost_amount: cost,
      sort,
      archived_at: null,
    });
};
