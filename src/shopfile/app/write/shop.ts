import type { ShopFile } from '../../contract/shopfile.ts';
import { STANDARD_BRAKE } from '../../../orders/domain/brake.ts';
import { DEFAULT_PAYMENT_METHODS, SOCIAL_KEYS } from '../../../shops/domain/shop.ts';
import type { Row } from '../../store/tables.ts';
import { writtenText } from '../localized.ts';
import { ALL_MODULES, SOCIAL_LABELS } from '../read/shop.ts';
import { bySort, given, listed, unless, type Writing } from './writing.ts';

type Shop = Row<'shop'>;
type Links = NonNullable<ShopFile['links']>;
type Custom = NonNullable<Links['custom']>[number];
type Social = NonNullable<Links['socials']>[number];
type Module = NonNullable<Links['modules']>[number];
type Kind = Module['kind'];
type Loyalty = NonNullable<ShopFile['loyalty']>;

const orNothing = <T extends object>(fields: T): T | null =>
  Object.keys(fields).length === 0 ? null : fields;

/** Two languages side by side; null when neither is written. */
const sideBySide = (ar: string | null, en: string | null) =>
  orNothing({ ...given('ar', ar), ...given('en', en) });

export const writePaymentMethods = ({ payment_methods: methods }: Shop): string[] | null =>
  methods.join() === DEFAULT_PAYMENT_METHODS.join() ? null : [...methods];

/** Null means something here, so it is written. */
export const writeBrake = (shop: Shop): ShopFile['order_brake'] | null =>
  orNothing({
    ...(shop.brake_open_orders === STANDARD_BRAKE.openOrders ? {} : { open_orders: shop.brake_open_orders }),
    ...(shop.brake_orders_per_day === STANDARD_BRAKE.ordersPerDay
      ? {}
      : { orders_per_day: shop.brake_orders_per_day }),
  });

export const writeBrand = (shop: Shop): ShopFile['brand'] | null =>
  orNothing({
    ...given('logo_url', shop.logo_url),
    ...unless(false, 'logo_is_mark', shop.logo_is_mark),
    ...given('card_image_url', shop.card_image_url),
    ...given(
      'colors',
      shop.custom_branding
        ? { background: shop.background_color, foreground: shop.foreground_color, accent: shop.accent_color }
        : null,
    ),
  });

const KINDS: readonly Kind[] = ALL_MODULES.map(({ kind }) => kind);

const writeModules = ({ rows }: Writing): Module[] | null => {
  const modules = [...rows.links_module]
    .sort((a, b) => a.sort - b.sort)
    .flatMap(({ kind: stored, visible }): Module[] => {
      const kind = KINDS.find((known) => known === stored);
      return kind === undefined ? [] : [{ kind, ...unless(true, 'visible', visible) }];
    });
  const isStandard =
    modules.length === KINDS.length &&
    modules.every(({ kind, visible }, at) => kind === KINDS[at] && visible !== false);
  return isStandard ? null : modules;
};

const writeCustom = ({ rows }: Writing): Custom[] =>
  bySort(rows.links_custom).map((link) => ({
    id: link.id,
    title: sideBySide(link.title_ar, link.title_en) ?? {},
    href: link.href,
    ...unless(true, 'visible', link.visible),
  }));

const writeSocials = ({ rows }: Writing): Social[] =>
  SOCIAL_KEYS.flatMap((key) => {
    const link = rows.links_social.find((row) => row.key === key);
    if (link === undefined) return [];
    const label = link.label === SOCIAL_LABELS[key] ? null : link.label;
    return [{ key, ...given('label', label), url: link.url, ...unless(true, 'visible', link.visible) }];
  });

export const writeLinks = (writing: Writing, shop: Shop): Links | null =>
  orNothing({
    ...given('modules', writeModules(writing)),
    ...listed('custom', writeCustom(writing)),
    ...listed('socials', writeSocials(writing)),
    ...unless(true, 'show_branches', shop.show_branches),
    ...given('cover_image_url', shop.cover_image_url),
    ...given('tagline', sideBySide(shop.tagline_ar, shop.tagline_en)),
  });

/** The reverse of how a program's name is kept: once for Arabic, once for everybody else. */
const programName = (
  { program_name, program_name_ar }: Row<'loyalty_program'>,
  main: string,
): Record<string, string> => {
  if (program_name_ar === null) return { [main]: program_name };
  if (main !== 'ar') return { [main]: program_name, ar: program_name_ar };
  return program_name === program_name_ar
    ? { ar: program_name_ar }
    : { ar: program_name_ar, en: program_name };
};

export const writeLoyalty = ({ rows, main }: Writing): Loyalty | null => {
  const program = rows.loyalty_program[0];
  if (program === undefined) return null;
  const rewards = bySort(rows.loyalty_reward).map((reward) => ({
    id: reward.id,
    name: writtenText(reward.name, reward.name_translations, main),
    cost: reward.cost_amount,
  }));
  const birthday = { enabled: program.birthday_enabled, ...given('amount', program.birthday_reward_amount) };
  return {
    enabled: program.enabled,
    mode: program.mode === 'points' ? 'points' : 'visits',
    program_name: programName(program, main),
    earn_piastres_per_point: program.earn_piastres_per_point,
    default_reward_cost: program.default_reward_cost,
    ...unless(false, 'earn_on_tax', program.earn_on_tax),
    ...given('birthday', birthday.enabled || birthday.amount !== undefined ? birthday : null),
    ...given('terms', sideBySide(program.terms_ar, program.terms)),
    ...listed('rewards', rewards),
  };
};
