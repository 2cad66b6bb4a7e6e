import type { ShopFile } from '../../contract/shopfile.ts';
import { DEFAULT_PAYMENT_METHODS, SOCIAL_KEYS } from '../../../shops/domain/shop.ts';
import type { Row } from '../../store/tables.ts';
import { fieldsFrom } from '../fields.ts';
import { ALL_MODULES, SOCIAL_LABELS } from '../read/shop.ts';
import { liveBySort, ifPresent, ifNotEmpty, type WriteContext } from './context.ts';

type Shop = Row<'shop'>;
type Links = NonNullable<ShopFile['links']>;
type Custom = NonNullable<Links['custom']>[number];
type Social = NonNullable<Links['socials']>[number];
type Module = NonNullable<Links['modules']>[number];
type Kind = Module['kind'];

const orNull = <T extends object>(fields: T): T | null => (Object.keys(fields).length === 0 ? null : fields);

const bilingual = (ar: string | null, en: string | null) =>
  orNull({ ...ifPresent('ar', ar), ...ifPresent('en', en) });

export const writePaymentMethods = ({ payment_methods: methods }: Shop): string[] | null =>
  methods.join() === DEFAULT_PAYMENT_METHODS.join() ? null : [...methods];

export const writeBrand = (shop: Shop, fields: ShopFile['brand']): ShopFile['brand'] | null =>
  orNull({
    ...fields,
    ...ifPresent(
      'colors',
      shop.custom_branding
        ? { background: shop.background_color, foreground: shop.foreground_color, accent: shop.accent_color }
        : null,
    ),
  });

const KINDS: readonly Kind[] = ALL_MODULES.map(({ kind }) => kind);

const writeModules = ({ rows }: WriteContext): Module[] | null => {
  const modules = [...rows.links_module]
    .sort((a, b) => a.sort - b.sort)
    .flatMap((row): Module[] => {
      const kind = KINDS.find((known) => known === row.kind);
      return kind === undefined ? [] : [{ kind, ...fieldsFrom('links_module', row) }];
    });
  const isStandard =
    modules.length === KINDS.length &&
    modules.every(({ kind, visible }, at) => kind === KINDS[at] && visible !== false);
  return isStandard ? null : modules;
};

const writeCustom = ({ rows }: WriteContext): Custom[] =>
  liveBySort(rows.links_custom).map((link) => ({
    id: link.id,
    title: bilingual(link.title_ar, link.title_en) ?? {},
    ...fieldsFrom('links_custom', link),
  }));

const writeSocials = ({ rows }: WriteContext): Social[] =>
  SOCIAL_KEYS.flatMap((key) => {
    const link = rows.links_social.find((row) => row.key === key);
    if (link === undefined) return [];
    const label = link.label === SOCIAL_LABELS[key] ? null : link.label;
    return [{ key, ...ifPresent('label', label), ...fieldsFrom('links_social', link) }];
  });

export const writeLinks = (context: WriteContext, fields: Links | undefined): Links | null =>
  orNull({
    ...ifPresent('modules', writeModules(context)),
    ...ifNotEmpty('custom', writeCustom(context)),
    ...ifNotEmpty('socials', writeSocials(context)),
    ...fields,
  });
