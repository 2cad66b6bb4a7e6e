/** Shop files cover every field of the public reads, and the published schema has every field. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shopFileJsonSchema } from '../../src/shopfile/app/shopfile.ts';
import * as menu from '../../src/menu/contract/menu.ts';
import * as shop from '../../src/shops/contract/shop.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

/** Fields of a schema, without list indexes: `menu.items[].sizes[].price`. */
const fieldsOf = (schema: Schema, path = ''): string[] => {
  if (schema.items !== undefined) return fieldsOf(schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...fieldsOf(inner, own)];
  });
};

const fieldsIn = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((inner) => fieldsIn(inner, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...fieldsIn(inner, own)];
  });
};

const schema = JSON.parse(JSON.stringify(shopFileJsonSchema())) as Schema;
const known = new Set(fieldsOf(schema));

describe('the published schema', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);

  test('is valid under draft 2020-12, and the demo shops and the full shop file satisfy it', () => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
    const demo = readdirSync('shops').filter(
      (name) => name.endsWith('.json') && name !== 'demo-activity.json',
    );
    const files = demo.map((name): unknown => JSON.parse(readFileSync(`shops/${name}`, 'utf8')));
    for (const file of [...files, aFullShopFile()]) {
      validate(file);
      expect(validate.errors).toBeNull();
    }
  });

  test('has no field that the full shop file lacks', () => {
    // Fields common to several kinds need one example; every entity may have an id and a key.
    const normalizedField = (field: string): string =>
      field
        .replace(/channels\.[a-z_]+/, 'channels.*')
        .replace(/^.*?\.(online_dated_hours|dated_hours)/, '*.dated_hours')
        .replace(/^.*?\.(online_hours|(?<!dated_)hours)/, '*.hours')
        .replace(/^.*?\.(availability|windows|prices|sell|pool|reward_pool)\b/, '*.$1')
        .replace(/^\*\.reward_pool/, '*.pool')
        .replace(/^menu\.(items|combos)\[\]\.(active|description|image_url)/, '*.$2')
        .replace(/^.*\.(id|key)$/, '*.$1');
    const used = new Set(fieldsIn(aFullShopFile()).map(normalizedField));
    expect([...new Set([...known].map(normalizedField))].filter((field) => !used.has(field))).toEqual([]);
  });

  test('refuses unknown fields everywhere', () => {
    const open: string[] = [];
    const visit = (inner: Schema, path: string): void => {
      if (inner.properties !== undefined && inner.additionalProperties !== false) open.push(path);
      if (inner.items !== undefined) visit(inner.items, `${path}[]`);
      for (const [name, property] of Object.entries(inner.properties ?? {}))
        visit(property, `${path}.${name}`);
    };
    visit(schema, '');
    expect(open).toEqual([]);
  });
});

/** Field of a read shape → field of the file; null: derived from other fields or from the current time. */
const SHOP_FILE_FIELDS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  PublicBrand: {
    org_id: 'id',
    name: 'name',
    name_translations: 'name',
    slug: 'slug',
    custom_branding: 'brand.colors',
    logo_is_mark: 'brand.logo_is_mark',
    logo_url: 'brand.logo_url',
    background_color: 'brand.colors.background',
    foreground_color: 'brand.colors.foreground',
    accent_color: 'brand.colors.accent',
    card_image_url: 'brand.card_image_url',
    main_language: 'main_language',
    digits: 'digits',
  },
  PublicLinksPage: {
    brand: 'brand',
    items: 'links.modules',
    socials: 'links.socials',
    branches: 'links.show_branches',
    cover_image_url: 'links.cover_image_url',
    loyalty_mode: 'loyalty.mode',
    tagline_ar: 'links.tagline.ar',
    tagline_en: 'links.tagline.en',
  },
  PublicLinksItem: {
    kind: 'links.modules[].kind',
    href: 'links.custom[].href',
    branch_names: 'branches[].name',
    channels: 'branches[].channels',
    path: null,
    title_en: 'links.custom[].title.en',
    title_ar: 'links.custom[].title.ar',
  },
  PublicSocialLink: {
    key: 'links.socials[].key',
    label: 'links.socials[].label',
    url: 'links.socials[].url',
  },
  PublicLinksBranch: {
    id: 'branches[].id',
    name: 'branches[].name',
    name_translations: 'branches[].name',
    address: 'branches[].address',
    address_translations: 'branches[].address',
    phone: 'branches[].phone',
    directions_url: 'branches[].map_url',
  },
  PublicBranch: {
    id: 'branches[].id',
    name: 'branches[].name',
    name_translations: 'branches[].name',
    code: 'branches[].code',
    in_mall_enabled: 'branches[].channels.in_mall.enabled',
    outside_enabled: 'branches[].channels.outside.enabled',
    umbrella_enabled: 'branches[].channels.umbrella.enabled',
    pickup_enabled: 'branches[].channels.pickup.enabled',
    in_mall_open_now: 'branches[].channels.in_mall.hours',
    outside_open_now: 'branches[].channels.outside.hours',
    umbrella_open_now: 'branches[].channels.umbrella.hours',
    pickup_open_now: 'branches[].channels.pickup.hours',
    timezone: 'branches[].time_zone',
    in_mall_opens_at: 'branches[].channels.in_mall.hours',
    outside_opens_at: 'branches[].channels.outside.hours',
    umbrella_opens_at: 'branches[].channels.umbrella.hours',
    pickup_opens_at: 'branches[].channels.pickup.hours',
    hours: 'branches[].channels.pickup.hours',
    otp_required: 'branches[].otp_required',
    in_mall_require_location: 'branches[].in_mall_require_location',
    tax_policy: 'branches[].tax',
    service_charge_rate: 'branches[].service_charge.rate',
  },
  DeliveryMenuCategory: {
    id: 'menu.categories[].id',
    name: 'menu.categories[].name',
    name_translations: 'menu.categories[].name',
    image_url: 'menu.categories[].image_url',
  },
  DeliveryMenuItem: {
    id: 'menu.items[].id',
    name: 'menu.items[].name',
    name_translations: 'menu.items[].name',
    price: 'menu.items[].price',
    sizes: 'menu.items[].sizes',
    optionals: 'menu.items[].optionals',
    allowed_addon_ids: 'menu.items[].allowed_addons',
    takes_addons: 'menu.items[].allowed_addons',
    addon_charges: 'menu.addons[].price',
    modifier_groups: 'menu.items[].modifier_groups',
    kind: 'menu.combos',
    category_id: 'menu.items[].category',
    description: 'menu.items[].description',
    description_translations: 'menu.items[].description',
    image_url: 'menu.items[].image_url',
    default_milk_addon_id: 'menu.items[].default_milk',
    default_coffee_addon_id: 'menu.items[].default_coffee',
    combo: 'menu.combos[].slots',
    meal: 'menu.items[].meal',
  },
  DeliveryOptionalField: {
    id: 'menu.items[].optionals[].id',
    name: 'menu.items[].optionals[].name',
    name_translations: 'menu.items[].optionals[].name',
    price: 'menu.items[].optionals[].price',
    size_label: 'menu.items[].optionals[].size',
  },
  DeliveryAddonOption: {
    addon_item_id: 'menu.addons[].id',
    name: 'menu.addons[].name',
    name_translations: 'menu.addons[].name',
    type: 'menu.addons[].type',
    price: 'menu.addons[].prices',
    is_available: 'menu.addons[].availability[].sold_out_until',
  },
  DeliveryModifierGroup: {
    group_id: 'menu.modifier_groups[].id',
    name: 'menu.modifier_groups[].name',
    name_translations: 'menu.modifier_groups[].name',
    selection_type: 'menu.modifier_groups[].selection',
    min_selections: 'menu.modifier_groups[].min',
    max_selections: 'menu.modifier_groups[].max',
    is_required: 'menu.modifier_groups[].required',
    addon_type: 'menu.modifier_groups[].addon_type',
    options: 'menu.modifier_groups[].options',
  },
  PublicComboSlot: {
    id: 'menu.combos[].slots[].id',
    name: 'menu.combos[].slots[].name',
    name_translations: 'menu.combos[].slots[].name',
    sort: 'menu.combos[].slots',
    min: 'menu.combos[].slots[].min',
    max: 'menu.combos[].slots[].max',
    choices: 'menu.combos[].slots[].choices',
    default_item_id: 'menu.combos[].slots[].default',
    default_size_label: 'menu.combos[].slots[].default_size',
  },
  PublicComboChoice: {
    menu_item_id: 'menu.combos[].slots[].choices[].item',
    name: 'menu.items[].name',
    name_translations: 'menu.items[].name',
    base_price: 'menu.items[].sizes[].price',
    included_size_label: 'menu.combos[].slots[].choices[].included_size',
    sizes: 'menu.items[].sizes',
    surcharge: 'menu.combos[].slots[].choices[].surcharge',
    available: 'menu.items[].availability',
    image_url: 'menu.items[].image_url',
  },
  PublicComboSize: {
    label: 'menu.items[].sizes[].label',
    label_translations: 'menu.items[].sizes[].label',
    price: 'menu.items[].sizes[].price',
    extra: 'menu.combos[].slots[].choices[].size_extras[].extra',
  },
  SaleWindowShape: {
    branch_id: 'menu.deals[].windows[].branch',
    weekdays: 'menu.deals[].windows[].weekdays',
    starts_at: 'menu.deals[].windows[].from',
    ends_at: 'menu.deals[].windows[].to',
    valid_from: 'menu.deals[].windows[].valid_from',
    valid_to: 'menu.deals[].windows[].valid_to',
  },
  DealPoolEntry: {
    category_id: 'menu.deals[].pool[].category',
    menu_item_id: 'menu.deals[].pool[].item',
    size_label: 'menu.deals[].pool[].size',
  },
  DealRule: {
    id: 'menu.deals[].id',
    name: 'menu.deals[].name',
    name_translations: 'menu.deals[].name',
    kind: 'menu.deals[].kind',
    qty: 'menu.deals[].qty',
    sort: 'menu.deals',
    is_active: 'menu.deals[].active',
    pool: 'menu.deals[].pool',
    reward_pool: 'menu.deals[].reward_pool',
    windows: 'menu.deals[].windows',
    branch_overrides: 'menu.deals[].branches',
    created_at: 'menu.deals[].created_at',
    updated_at: 'menu.deals[].updated_at',
    price: 'menu.deals[].price',
    get_qty: 'menu.deals[].get_qty',
    get_percent: 'menu.deals[].get_percent',
    max_per_order: 'menu.deals[].max_per_order',
  },
  DeliveryMenuDiscount: {
    id: 'menu.discounts[].id',
    name: 'menu.discounts[].name',
    name_translations: 'menu.discounts[].name',
    dtype: 'menu.discounts[].percent',
    value: 'menu.discounts[].amount',
    value_rate: 'menu.discounts[].percent',
  },
};

const shapes: Readonly<Record<string, unknown>> = { ...menu, ...shop };

describe('every field of a read shape', () => {
  test.each(Object.entries(SHOP_FILE_FIELDS))('of %s has a field in shop files', (name, fields) => {
    const shape = shapes[name] as { properties: Record<string, unknown> };
    expect(Object.keys(fields).sort()).toEqual(Object.keys(shape.properties).sort());
    for (const path of Object.values(fields)) if (path !== null) expect(known).toContain(path);
  });
});
