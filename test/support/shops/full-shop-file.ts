import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { BranchEntry, MenuFile } from './shop-file.ts';

const ID = {
  shop: 'c0ffee00-0000-4000-8000-000000000001',
  latte: 'c0ffee00-0000-4000-8000-000000000002',
  table: 'c0ffee00-0000-4000-8000-000000000003',
} as const;

const downtown: BranchEntry = {
  key: 'downtown',
  name: { ar: 'وسط البلد', en: 'Downtown' },
  code: 'DT',
  address: { ar: '٥ شارع شريف\nالدور الأول', en: '5 Sherif St' },
  phone: '+20 2 2391 0000',
  map_url: 'https://maps.example/downtown',
  location: { lat: 30.0475, lng: 31.2403 },
  time_zone: 'Africa/Cairo',
  day_starts_at: '04:30',
  otp_required: false,
  in_mall_require_location: false,
  online_needs_open_till: true,
  accepts_table_orders: false,
  tax: { rate: 0.14, inclusive: false },
  service_charge: { rate: 0.125, taxable: true },
  delivery_fee_taxable: true,
  base_prep_minutes: 25,
  learns_prep_minutes: true,
  auto_reject_minutes: 15,
  confirm_table_orders: true,
  kitchen_moves_orders: false,
  sales_need_till: 'all',
  staff_drinks_per_day: 2,
  road_factor: 1.45,
  online_hours: [
    { days: ['fri', 'sat'], open: '10:00', close: '03:00' },
    { days: ['sun', 'mon', 'tue', 'wed', 'thu'], open: '08:00', close: '12:00' },
    { days: ['sun', 'mon', 'tue', 'wed', 'thu'], open: '14:00', close: '00:00' },
  ],
  online_dated_hours: [
    { from: '2027-02-08', to: '2027-03-09', hours: [{ open: '19:00', close: '02:30' }], note: 'رمضان' },
    { from: '2027-03-10', hours: [] },
  ],
  channels: {
    pickup: { state: { mode: 'closed', until: '2026-12-04T17:00:00Z' } },
    outside: {
      hours: [{ open: '00:00', close: '00:00' }],
      dated_hours: [{ from: '2027-01-07', hours: [{ open: '12:00', close: '20:00' }] }],
      fee: 3500,
      max_distance_meters: 9000,
    },
    in_mall: { enabled: false },
    umbrella: { fee: 500, state: { mode: 'open' } },
  },
  delivery_zones: [
    { name: { ar: 'قريب', en: 'Near' }, fee: 2000, radius_meters: 2500 },
    {
      name: 'الجزيرة',
      fee: 2500,
      polygon: {
        type: 'Polygon',
        coordinates: [
          [
            [31.21, 30.03],
            [31.23, 30.03],
            [31.23, 30.07],
            [31.21, 30.03],
          ],
        ],
      },
    },
  ],
  tables: [
    { label: 'T1', section: 'الشرفة', seats: { min: 1, max: 2 } },
    { id: ID.table, label: 'T2', section: 'الشرفة', seats: { max: 4 } },
    { key: 'big', label: 'T10', seats: { min: 4, max: 8 }, bookable: false },
  ],
  table_joins: [
    ['T1', 'T2'],
    ['T2', 'big'],
  ],
  stations: [
    { key: 'bar', name: { ar: 'البار', en: 'Bar' }, categories: ['قهوة'] },
    { name: { ar: 'الحلويات', en: 'Sweets' }, categories: ['sweets'], items: ['لاتيه'] },
    { name: 'الشواية' },
  ],
  booking: {
    enabled: true,
    hours: [{ open: '13:00', close: '02:00' }],
    dated_hours: [{ from: '2026-12-31', hours: [{ open: '18:00', close: '05:00' }] }],
    slot_minutes: 15,
    default_duration_minutes: 120,
    min_party: 2,
    max_party: 10,
    lead_time_minutes: 90,
    horizon_days: 45,
    hold_minutes: 20,
    auto_no_show_minutes: null,
    reminder_lead_minutes: null,
    require_otp: false,
    max_covers_per_slot: 24,
    blackout_dates: ['2027-01-01'],
  },
};

const kiosk: BranchEntry = {
  name: { ar: 'كشك المول', en: 'Mall kiosk' },
  code: 'MALL',
  active: false,
  channels: { in_mall: { hours: [{ days: ['mon'], open: '10:00', close: '22:00' }] } },
};

const menu: MenuFile = {
  categories: [
    { name: { ar: 'قهوة', en: 'Coffee' }, image_url: 'https://pictures.example/coffee.jpg' },
    { key: 'sweets', name: { ar: 'حلو', en: 'Sweets' } },
    { name: { ar: 'وجبات', en: 'Meals' } },
  ],
  addons: [
    { key: 'whole', name: { ar: 'حليب كامل', en: 'Whole milk' }, type: 'milk_type', price: 1000 },
    {
      key: 'oat',
      name: { ar: 'حليب شوفان', en: 'Oat milk' },
      type: 'milk_type',
      price: 2500,
      prices: [{ channel: 'outside', price: 2700 }],
    },
    { name: { ar: 'بن غامق', en: 'Dark roast' }, type: 'coffee_type', price: 0 },
    {
      name: { ar: 'فانيليا', en: 'Vanilla' },
      type: 'extra',
      price: 1500,
      active: false,
      availability: [{ branch: 'downtown', stock: 7 }],
    },
    { name: { ar: 'كراميل', en: 'Caramel' }, type: 'extra', price: 1500 },
  ],
  modifier_groups: [
    {
      name: { ar: 'الحليب', en: 'Milk' },
      selection: 'single',
      required: true,
      addon_type: 'milk_type',
      options: ['whole', 'oat'],
    },
    {
      name: { ar: 'إضافات', en: 'Extras' },
      selection: 'multi',
      min: 0,
      max: 3,
      options: ['كراميل', 'فانيليا'],
    },
  ],
  items: [
    {
      id: ID.latte,
      name: { ar: 'لاتيه', en: 'Latte' },
      category: 'قهوة',
      description: { ar: 'سطر\nوسطر', en: 'Two lines' },
      image_url: 'https://pictures.example/latte.jpg',
      sizes: [
        { label: { ar: 'صغير', en: 'Small' }, price: 7000, prices: [{ branch: 'downtown', price: 7500 }] },
        {
          label: { ar: 'كبير', en: 'Large' },
          price: 9000,
          prices: [
            { branch: 'downtown', channel: 'outside', price: 10500 },
            { channel: 'pickup', price: 8500 },
          ],
        },
      ],
      optionals: [
        { name: { ar: 'شوت زيادة', en: 'Extra shot' }, size: 'صغير', price: 1500 },
        { name: { ar: 'شوت زيادة', en: 'Extra shot' }, size: 'كبير', price: 1000 },
        { key: 'sleeve', name: 'جراب', price: 0 },
      ],
      default_milk: 'whole',
      default_coffee: 'بن غامق',
      allowed_addons: ['whole', 'oat', 'بن غامق'],
      modifier_groups: ['الحليب', 'إضافات'],
      meal: { combo: 'فطار', slot: 'drink' },
      availability: [
        { branch: 'downtown', sold_out_until: '2026-12-01T10:00:00Z', stock: 12 },
        { channel: 'umbrella', on: false },
        { branch: 'كشك المول', on: false },
      ],
      windows: [
        { weekdays: ['fri', 'sat'], from: '22:00', to: '02:00' },
        { branch: 'downtown', valid_from: '2026-11-01', valid_to: '2027-01-31' },
      ],
    },
    { name: { ar: 'إسبريسو', en: 'Espresso' }, category: 'قهوة', price: 5000, active: false },
    {
      name: { ar: 'كرواسون', en: 'Croissant' },
      category: 'sweets',
      prices: [{ channel: 'pickup', price: 6000 }],
    },
    { name: 'ماء', price: 1000 },
  ],
  combos: [
    {
      name: { ar: 'فطار', en: 'Breakfast' },
      category: 'وجبات',
      price: 12000,
      sell: { pos: true, qr: false, online: true, delivery: false },
      slots: [
        {
          key: 'drink',
          name: { ar: 'المشروب', en: 'Drink' },
          default: 'لاتيه',
          default_size: 'صغير',
          choices: [
            { item: 'لاتيه', included_size: 'صغير', size_extras: [{ size: 'كبير', extra: 1200 }] },
            { item: 'إسبريسو', surcharge: 500 },
          ],
        },
        { name: { ar: 'الحلو', en: 'Sweet' }, min: 0, max: 2, choices: [{ item: 'كرواسون' }] },
      ],
      availability: [{ branch: 'downtown', on: true, stock: 30 }],
      windows: [{ from: '07:00', to: '12:00' }],
    },
  ],
  deals: [
    {
      name: { ar: 'تلاتة بمية', en: 'Three for 100' },
      kind: 'n_for_price',
      qty: 3,
      price: 10000,
      max_per_order: 2,
      pool: [{ category: 'قهوة', size: 'صغير' }, { item: 'كرواسون' }],
      windows: [{ weekdays: ['sun'] }],
      branches: [{ branch: 'كشك المول', active: false }],
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-02-03T04:05:06Z',
    },
    {
      name: { ar: 'اشتري واحد', en: 'Buy one' },
      kind: 'buy_get',
      qty: 1,
      get_qty: 1,
      get_percent: 50,
      active: false,
      sell: { pos: false },
      pool: [{ item: 'لاتيه', size: 'كبير' }],
      reward_pool: [{ category: 'sweets' }],
    },
  ],
  discounts: [
    {
      name: { ar: 'خصم الاستلام', en: 'Pickup discount' },
      percent: 12.5,
      valid_from: '2026-11-01',
      valid_to: '2026-12-31',
      on: [{ channel: 'pickup' }, { channel: 'outside', branch: 'downtown' }],
    },
    { name: { ar: 'خصم عشرة', en: 'Ten off' }, amount: 1000, active: false, on: [{ channel: 'outside' }] },
  ],
};

/** A shop file with a value in every field. */
export const aFullShopFile = (overrides: Partial<ShopFile> = {}): ShopFile => ({
  $schema: 'https://ahwa.example/shop-file.schema.json',
  format: 1,
  id: ID.shop,
  slug: 'rich-beans',
  former_slugs: ['poor-beans'],
  name: { ar: 'بن غني', en: 'Rich Beans', fr: 'Café riche' },
  main_language: 'ar',
  active: true,
  digits: 'arab',
  payment_methods: ['instapay', 'cash', 'card'],
  order_brake: { open_orders: null, orders_per_day: 50 },
  brand: {
    logo_url: 'https://pictures.example/logo.svg',
    logo_is_mark: true,
    card_image_url: 'https://pictures.example/card.jpg',
    colors: { background: '#101010', foreground: '#FAFAFA', accent: '#b4622d' },
  },
  links: {
    modules: [{ kind: 'menu' }, { kind: 'order' }, { kind: 'book', visible: false }],
    custom: [
      { title: { en: 'Careers', ar: 'وظائف' }, href: 'https://jobs.example/beans' },
      { key: 'news', title: { en: 'News' }, href: 'https://news.example/', visible: false },
    ],
    socials: [
      { key: 'whatsapp', label: 'راسلنا', url: 'https://wa.me/20100' },
      { key: 'instagram', url: 'https://instagram.com/beans', visible: false },
    ],
    show_branches: false,
    cover_image_url: 'https://pictures.example/cover.jpg',
    tagline: { ar: 'بن محمص كل صباح', en: 'Roasted every morning' },
  },
  loyalty: {
    enabled: true,
    mode: 'points',
    program_name: { ar: 'نقاط البن', en: 'Bean points' },
    earn_piastres_per_point: 500,
    default_reward_cost: 80,
    earn_on_tax: true,
    visit_items: [{ category: 'sweets' }, { item: 'لاتيه', size: 'كبير' }],
    balance_cap: 5000,
    max_rewards_per_order: 2,
    offline_limit: 200,
    require_otp: false,
    birthday: {
      enabled: true,
      amount: 25,
      message: { ar: 'كل سنة وأنت طيب يا {name}', en: 'Happy birthday, {name}' },
    },
    win_back: {
      enabled: true,
      after_days: 60,
      amount: 10,
      message: { ar: 'وحشتنا يا {name}', en: 'We miss you, {name}' },
    },
    terms: { en: 'Be kind.\nCome back.', ar: 'كن لطيفًا' },
    rewards: [
      {
        name: { ar: 'قهوة مجانية', en: 'Free coffee' },
        cost: 100,
        items: [{ category: 'sweets' }, { item: 'لاتيه', size: 'كبير' }],
      },
      { key: 'cake', name: { ar: 'كيكة', en: 'Cake' }, cost: 150 },
    ],
  },
  branches: [downtown, kiosk],
  staff: [
    { name: 'نادية صبري', role: 'owner', email: 'Nadia@rich-beans.example' },
    { key: 'cook', name: 'حسن', role: 'kitchen', branches: ['كشك المول', 'downtown'] },
    { name: 'حسن', role: 'waiter', branches: ['downtown'], active: false },
  ],
  menu,
  ...overrides,
});
