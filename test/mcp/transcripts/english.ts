/** Ten tasks in English. The expected facts were derived by hand from the shop files named beside them. */
import type { Transcript } from './transcript.ts';

export const ENGLISH: readonly Transcript[] = [
  {
    question: 'Is there a table for 6 at Layaly this Friday evening?',
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('Maadi Corniche'), date: '2026-12-18', party_size: 6 }),
      },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('Sheikh Zayed'), date: '2026-12-18', party_size: 6 }),
      },
    ],
    // demo-activity.json: at the Corniche, in two days, no table is free from 20:30 to 21:30; the other 21 of
    // 24 starts are. Sheikh Zayed has no booking that day.
    text: [
      /^21 free times for 6 on Friday 18 December 2026 at ليالي \(Layaly\), كورنيش المعادي \(Maadi Corniche\)/m,
      '- 20:00 (2026-12-18T18:00:00.000Z)',
      '- 22:00 (2026-12-18T20:00:00.000Z)',
      /^Taken \(no room for 6\):\n- 20:30 .*\n- 21:00 .*\n- 21:30 .*\n(?!- )/m,
      /^12 free times for 6 on Friday 18 December 2026 at ليالي \(Layaly\), الشيخ زايد \(Sheikh Zayed\)/m,
      'https://ahwa.example/layaly/book',
    ],
    structured: [
      {
        branch_name_translations: { en: 'Maadi Corniche' },
        weekday: 'Friday',
        slots: [
          { local: '2026-12-18T20:00+02:00', available: true },
          { local: '2026-12-18T20:30+02:00', available: false },
          { local: '2026-12-18T21:00+02:00', available: false },
          { local: '2026-12-18T21:30+02:00', available: false },
          { local: '2026-12-18T22:00+02:00', available: true },
        ],
      },
      {
        branch_name_translations: { en: 'Sheikh Zayed' },
        slots: [{ local: '2026-12-18T20:00+02:00', available: true }],
      },
    ],
    allowed: { text: 3_800, structured: 5_900 },
  },
  {
    question: "What's a single Turkish coffee at Beit El Bunn?",
    calls: [
      { tool: 'get_menu', args: { shop: 'Beit El Bunn' }, refused: true },
      { tool: 'get_menu', args: ({ meantShop }) => ({ shop: meantShop() }) },
    ],
    // beit-el-bunn.json: 45 in the catalogue; Zamalek has no own price.
    text: [
      'There is no shop with the address name "beit el bunn". Perhaps "beit-el-bunn" is meant.',
      'قهوة تركي (Turkish coffee): سنجل (Single) 45.00 EGP, دوبل (Double) 60.00 EGP',
    ],
    structured: [
      {
        name: 'قهوة تركي',
        name_translations: { en: 'Turkish coffee' },
        sizes: [{ label: 'سنجل', label_translations: { en: 'Single' }, price_egp: 45 }],
      },
    ],
    allowed: { text: 12_400, structured: 25_000 },
  },
  {
    question: "Get us a table for two at Layaly by the river on Valentine's day.",
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('Maadi Corniche'), date: '2027-02-14', party_size: 2 }),
        refused: true,
      },
    ],
    // layaly.json: the Corniche can be booked 30 days ahead, until 15 January.
    text: [
      /Sunday 14 February 2027 \(2027-02-14\) cannot be booked at ليالي \(Layaly\), كورنيش المعادي/,
      /from Wednesday 16 December 2026 \(2026-12-16, today there\) to Friday 15 January 2027 \(2027-01-15\)/,
    ],
    structured: [{ kind: 'book', href: 'https://ahwa.example/layaly/book' }],
    never: ['free time'],
    allowed: { text: 1_550, structured: 1_900 },
  },
  {
    question: 'Any table for four at Layaly Sheikh Zayed on Sunday the 20th, whatever the time?',
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('Sheikh Zayed'), date: '2026-12-20', party_size: 4 }),
      },
    ],
    // The test has booked every table of that day.
    text: [
      /^No free times for 4 on Sunday 20 December 2026 at .*\(Sheikh Zayed\); 12 starts are taken\.$/m,
      'https://ahwa.example/layaly/book',
    ],
    structured: [
      {
        date: '2026-12-20',
        weekday: 'Sunday',
        slots: [{ starts_at: '2026-12-20T18:00:00.000Z', available: false }],
      },
    ],
    never: [/^Free:/m, '"available":true', 'too_soon'],
    allowed: { text: 2_200, structured: 3_200 },
  },
  {
    question: 'How much is a flat white at Zawya, and is tax on top of that?',
    calls: [{ tool: 'get_menu', args: { shop: 'zawya' } }],
    // zawya.json: 85, tax of 14 % inclusive, no service charge.
    text: ['فلات وايت (Flat white): 85.00 EGP', /^زاوية \(Zawya\).*14 % tax is included/],
    structured: [
      { name: 'فلات وايت', name_translations: { en: 'Flat white' }, price_egp: 85 },
      { shop: 'zawya', tax_inclusive: true, tax_rate: 0.14 },
    ],
    never: [/comes on top|service/],
    allowed: { text: 3_100, structured: 6_300 },
  },
  {
    question: 'I have two cafés. What would this ordering service cost me a month, and whom do I write to?',
    calls: [{ tool: 'about_ahwa', args: {} }],
    // Plans and contact of the test world.
    text: [
      /a month per branch: Menu 0\.00 EGP, Orders 450\.50 EGP/,
      'hello@ahwa.example',
      'https://ahwa.example',
    ],
    structured: [
      { name: 'Orders', monthly_egp_per_branch: 450.5 },
      { name: 'Ahwa', currency: 'EGP', contact: 'hello@ahwa.example' },
    ],
    allowed: { text: 460, structured: 500 },
  },
  {
    question: "My order is D-MAD-261216-0002. Where is it? (then: here's the link I was sent)",
    calls: [
      { tool: 'track_order', args: { order_id: 'D-MAD-261216-0002' }, refused: true },
      { tool: 'track_order', args: ({ order }) => ({ order_id: order('preparing') }) },
    ],
    // demo-activity.json, salma-preparing: placed 12 minutes ago, preparing 4 minutes later. Two large
    // Spanish lattes at 135, a carrot cake at 125, two waters at 15: 425, less 10 % for pickup 382.50; Maadi
    // adds 14 %: 53.55.
    text: [
      /order_id must be a UUID, and is "D-MAD-261216-0002".*tracking link/,
      /^The order D-MAD-261216-0002 at بيت البن \(Beit El Bunn\), المعادي \(Maadi\) is being prepared \(since 11:52 on Wednesday 16 December 2026\)/m,
      'discount 42.50 EGP',
      'tax 53.55 EGP, added on top; total 436.05 EGP',
      'Pickup at the branch',
    ],
    structured: [
      { delivery_ref: 'D-MAD-261216-0002', status: 'preparing', channel: 'pickup', total_egp: 436.05 },
      { tax_egp: 53.55, discount_egp: 42.5, tax_inclusive: false },
    ],
    never: ['سلمى'],
    allowed: { text: 1_250, structured: 1_400 },
  },
  {
    question: "I'd like dinner from Layaly delivered home. Can you order it for me?",
    calls: [{ tool: 'get_shop', args: { shop: 'layaly' } }],
    // layaly.json: Sheikh Zayed delivers; orders are placed on the shop's own page.
    text: [/^Order online.*\bdelivery\b.*https:\/\/ahwa\.example\/layaly\/order$/m],
    structured: [
      { kind: 'order', href: 'https://ahwa.example/layaly/order', channels: ['pickup', 'delivery'] },
    ],
    allowed: { text: 1_250, structured: 1_650 },
  },
  {
    question: 'Does Souq sell tea number 990, and what does it cost?',
    calls: [{ tool: 'get_menu', args: { shop: 'souq' } }],
    // The test's shop with a thousand teas: the answer says that the menu has more items.
    text: [
      /^Left out, to stay short: \d+ of 1000 items/m,
      'https://ahwa.example/souq/menu',
      'شاي رقم 1: 20.10 EGP',
    ],
    structured: [
      { shop: 'souq', truncated: true },
      { name: 'شاي رقم 1', price_egp: 20.1 },
    ],
    never: ['990', /1000 items on the menu/],
    allowed: { text: 25_000, structured: 40_000 },
  },
  {
    question: 'Is the lotus cheesecake at Beit El Bunn dearer in Nakheel Mall than in Zamalek?',
    calls: [
      { tool: 'get_shop', args: { shop: 'beit-el-bunn' } },
      {
        tool: 'get_menu',
        args: ({ branch }) => ({ shop: 'beit-el-bunn', branch_id: branch('Nakheel Mall') }),
      },
      { tool: 'get_menu', args: ({ branch }) => ({ shop: 'beit-el-bunn', branch_id: branch('Zamalek') }) },
    ],
    // beit-el-bunn.json: 145 in the catalogue, 155 in the mall.
    text: [
      /branch مول النخيل \(Nakheel Mall\)[^]*\(Lotus cheesecake\): 155\.00 EGP[^]*branch الزمالك \(Zamalek\)/,
      /branch الزمالك \(Zamalek\)[^]*\(Lotus cheesecake\): 145\.00 EGP/,
    ],
    structured: [
      {
        branch_name: 'مول النخيل',
        categories: [{ items: [{ name_translations: { en: 'Lotus cheesecake' }, price_egp: 155 }] }],
      },
      {
        branch_name: 'الزمالك',
        categories: [{ items: [{ name_translations: { en: 'Lotus cheesecake' }, price_egp: 145 }] }],
      },
    ],
    allowed: { text: 25_000, structured: 49_500 },
  },
];
