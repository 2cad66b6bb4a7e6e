/**
 * Ten tasks in the words of people in Cairo. The expected facts were derived by hand from the shop files
 * named beside them.
 */
import type { Transcript } from './transcript.ts';

export const ARABIC: readonly Transcript[] = [
  {
    question: 'عايز أعرف أرخص مشروب في بيت البن بكام؟',
    calls: [{ tool: 'get_menu', args: { shop: 'beit-el-bunn' } }],
    // beit-el-bunn.json: water, 600 ml, is 15 pounds in the catalogue, also at Zamalek; everything else costs
    // 30 or more.
    text: [
      'بيت البن (Beit El Bunn), branch الزمالك (Zamalek)',
      'مياه معدنية (Mineral water): 600 مل (600 ml) 15.00 EGP',
      'شاي كشري (Loose-leaf tea): 30.00 EGP',
    ],
    structured: [
      { branch_name: 'الزمالك', currency: 'EGP' },
      { name: 'مياه معدنية', sizes: [{ label: '600 مل', price_egp: 15 }] },
    ],
    never: [/(?<![\d.])(?:\d|1[0-4])\.\d\d EGP/, /"price_egp":(?:\d|1[0-4])[.,}]/],
    allowed: { text: 12_000, structured: 24_500 },
  },
  {
    question:
      'في ليالي، أقدر أشرب إيه بأقل من ٦٠ جنيه، وفيه خدمة على الحساب؟ وفيه ترابيزة لاتنين يوم الجمعة؟',
    calls: [
      { tool: 'get_menu', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branchOfMenu }) => ({ branch_id: branchOfMenu(), date: '2026-12-18', party_size: 2 }),
      },
    ],
    // layaly.json, category drinks: water 20 and 35, soft drink 40, hibiscus 55, tea 35, Turkish single 55;
    // tamarind is 60, so not below 60. Tax of 14 % included, service of 12 % not. Sheikh Zayed, first by
    // name, has hourly starts for two from 13:00, the last two hours before 02:00.
    text: [
      /^ليالي \(Layaly\), branch الشيخ زايد.* 14 % tax is included, and the bill adds 12 % service\.$/m,
      'صغيرة (Small) 20.00 EGP, كبيرة (Large) 35.00 EGP',
      'مشروب غازي (Soft drink): 40.00 EGP',
      'تمر هندي (Tamarind): 60.00 EGP',
      'كركديه (Hibiscus): 55.00 EGP',
      'شاي كشري (Loose-leaf tea): 35.00 EGP',
      'قهوة تركي (Turkish coffee): سنجل (Single) 55.00 EGP, دوبل (Double) 75.00 EGP',
      /^12 free times for 2 on Friday 18 December 2026 at ليالي \(Layaly\), الشيخ زايد \(Sheikh Zayed\)/m,
      '- 13:00 (2026-12-18T11:00:00.000Z)',
      '- 00:00 on Saturday 19 December 2026 (2026-12-18T22:00:00.000Z)',
      'https://ahwa.example/layaly/book',
    ],
    structured: [
      { branch_name: 'الشيخ زايد', tax_inclusive: true, tax_rate: 0.14, service_charge_rate: 0.12 },
      {
        category: 'مشروبات',
        items: [
          { name: 'مشروب غازي', price_egp: 40 },
          { name: 'تمر هندي', price_egp: 60 },
          { name: 'كركديه', price_egp: 55 },
          { name: 'شاي كشري', price_egp: 35 },
          { name: 'قهوة تركي', sizes: [{ label: 'سنجل', price_egp: 55 }] },
        ],
      },
      {
        branch_name: 'الشيخ زايد',
        weekday: 'Friday',
        slots: [{ starts_at: '2026-12-18T11:00:00.000Z', available: true }],
        book_url: 'https://ahwa.example/layaly/book',
      },
    ],
    never: [/Taken|"available":false/],
    allowed: { text: 6_000, structured: 11_400 },
  },
  {
    question: 'اللاتيه الكبير في بيت البن فرع المعادي بكام؟ وشامل الضريبة ولا لأ؟',
    calls: [
      { tool: 'get_shop', args: { shop: 'beit-el-bunn' } },
      {
        tool: 'get_menu',
        args: ({ branch }) => ({ shop: 'beit-el-bunn', branch_id: branch('المعادي') }),
      },
    ],
    // beit-el-bunn.json: the large latte is 120 in the catalogue; Maadi has no own price, adds 14 % tax and
    // 10 % service.
    text: [
      /^- لاتيه \(Caffè latte\): .*كبير \(Large\) 120\.00 EGP/m,
      /branch المعادي \(Maadi\).*14 % tax comes on top, and the bill adds 10 % service/,
    ],
    structured: [
      { name: 'لاتيه', sizes: [{ label: 'كبير', price_egp: 120 }] },
      { branch_name: 'المعادي', tax_inclusive: false, tax_rate: 0.14, service_charge_rate: 0.1 },
    ],
    allowed: { text: 15_000, structured: 28_000 },
  },
  {
    question: 'عايز أحجز لستة في ليالي الشيخ زايد ليلة راس السنة، ولو مفيش يبقى الكورنيش',
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('الشيخ زايد'), date: '2026-12-31', party_size: 6 }),
      },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('كورنيش المعادي'), date: '2026-12-31', party_size: 6 }),
      },
    ],
    // layaly.json: 31 December 2026 is a blackout date at Sheikh Zayed only; the Corniche has half-hourly
    // starts from 13:00 to 00:30, 90 minutes before 02:00.
    text: [
      /^No bookings are taken on Thursday 31 December 2026 at ليالي \(Layaly\), الشيخ زايد/m,
      /^24 free times for 6 on Thursday 31 December 2026 at ليالي \(Layaly\), كورنيش المعادي/m,
      '- 00:30 on Friday 1 January 2027 (2026-12-31T22:30:00.000Z)',
      'To book, the person opens https://ahwa.example/layaly/book',
    ],
    structured: [
      { branch_name: 'الشيخ زايد', date: '2026-12-31', slots: [] },
      { branch_name: 'كورنيش المعادي', date: '2026-12-31', slots: [{ available: true }] },
    ],
    allowed: { text: 3_200, structured: 4_800 },
  },
  {
    question: 'عندنا عزومة ٢٠ فرد في ليالي كورنيش المعادي بكرة الساعة ٨، ينفع؟',
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('كورنيش المعادي'), date: '2026-12-17', party_size: 20 }),
        refused: true,
      },
    ],
    // layaly.json: the Corniche takes parties of 1 to 12, and has this phone.
    text: [
      'كورنيش المعادي (Maadi Corniche) takes bookings for parties of 1 to 12, and 20 were asked for.',
      /larger party.*\+20 2 2000 0161/,
    ],
    structured: [{ name: 'كورنيش المعادي', phone: '+20 2 2000 0161' }],
    never: ['free time'],
    allowed: { text: 1_560, structured: 1_950 },
  },
  {
    question: 'طلبي فين دلوقتي؟ ده اللينك اللي جالي، وهيوصل عليّ كام؟',
    calls: [{ tool: 'track_order', args: ({ order }) => ({ order_id: order('out_for_delivery') }) }],
    // demo-activity.json, hoda-on-the-way: placed 29 minutes ago, sent out 21 minutes later. Delivery prices
    // of beit-el-bunn.json: two large lattes at 130 with a shot at 25, a medium iced caramel macchiato at 130
    // with oat milk for 30 more, two San Sebastián at 165; the fee is 15.
    text: [
      /^The order D-ZML-261216-\d{4} at بيت البن \(Beit El Bunn\), الزمالك \(Zamalek\) is on its way \(since 11:52 on Wednesday 16 December 2026\)/,
      '2 × لاتيه (Caffè latte), كبير (Large): 310.00 EGP',
      '2 × تشيز كيك سان سيباستيان (San Sebastián cheesecake): 330.00 EGP',
      'delivery fee 15.00 EGP',
      'total 815.00 EGP',
      /https:\/\/ahwa\.example\/track\/[0-9a-f-]{36}/,
    ],
    structured: [
      { status: 'out_for_delivery', total_egp: 815, delivery_fee_egp: 15, subtotal_egp: 800 },
      { status: 'out_for_delivery', at: '2026-12-16T09:52:00.000Z', local: '2026-12-16T11:52+02:00' },
      { name: 'لاتيه', size: 'كبير', quantity: 2, total_egp: 310 },
    ],
    never: ['هدى', 'كامل', 'حسن صبري', 'الصيدلية'],
    allowed: { text: 1_350, structured: 1_550 },
  },
  {
    question: 'كشك اللي في الدقي فاتح النهارده؟ صفحتهم اسمها kashk',
    calls: [{ tool: 'get_shop', args: { shop: 'kashk' }, refused: true }],
    // kashk.json: the shop is inactive, so it counts as missing.
    text: ['no shop with the address name "kashk"', /no list of shops.*ask the person for the link/],
    structured: [],
    never: [/switched|closed|الدقي|Dokki/],
    allowed: { text: 370, structured: 350 },
  },
  {
    question:
      'الساعة بقت ١٢ وعشرة. لسه ينفع نسهر أربعة في ليالي الكورنيش الليلة؟ ولو لأ يبقى بكرة بعد نص الليل',
    at: '2026-12-16T22:10:00Z',
    calls: [
      { tool: 'get_shop', args: { shop: 'layaly' } },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('كورنيش المعادي'), date: '2026-12-16', party_size: 4 }),
      },
      {
        tool: 'get_booking_slots',
        args: ({ branch }) => ({ branch_id: branch('كورنيش المعادي'), date: '2026-12-17', party_size: 4 }),
      },
    ],
    // layaly.json: Wednesday's evening ends at 02:00, its last start is 00:30; starts within 60 minutes
    // cannot be booked. Thursday's evening includes starts early on Friday.
    text: [
      /^No free times for 4 on Wednesday 16 December 2026 at .*; 24 starts are past or too soon, as a table is booked at least 1 hour ahead\./m,
      /free times for 4 on Thursday 17 December 2026/,
      '- 00:00 on Friday 18 December 2026 (2026-12-17T22:00:00.000Z)',
      '- 00:30 on Friday 18 December 2026 (2026-12-17T22:30:00.000Z)',
    ],
    structured: [
      {
        date: '2026-12-16',
        slots: [
          {
            starts_at: '2026-12-16T22:30:00.000Z',
            local: '2026-12-17T00:30+02:00',
            available: false,
            too_soon: true,
          },
        ],
      },
      {
        date: '2026-12-17',
        weekday: 'Thursday',
        slots: [{ starts_at: '2026-12-17T22:30:00.000Z', local: '2026-12-18T00:30+02:00', available: true }],
      },
    ],
    allowed: { text: 4_300, structured: 7_600 },
  },
  {
    question: 'إيه عروض الكومبو اللي في بيت البن، وكل واحد بكام؟',
    calls: [{ tool: 'get_menu', args: { shop: 'beit-el-bunn' } }],
    // beit-el-bunn.json, combos at catalogue prices; Zamalek has no own. The office box is not sold at
    // tables.
    text: [
      'عروض الكومبو (Combos):',
      'فطار على السريع (Quick breakfast), combo: 125.00 EGP. مشروب ساخن وكرواسون',
      'وجبة الساندوتش (Sandwich meal), combo: 195.00 EGP',
      'قعدة لاتنين (A table for two), combo: 285.00 EGP',
      'تركي وحلو (Turkish & something sweet), combo: 99.00 EGP',
    ],
    structured: [
      { name: 'فطار على السريع', combo: true, price_egp: 125, description: 'مشروب ساخن وكرواسون' },
      { name: 'وجبة الساندوتش', combo: true, price_egp: 195 },
      { name: 'قعدة لاتنين', combo: true, price_egp: 285 },
      { name: 'تركي وحلو', combo: true, price_egp: 99 },
    ],
    never: ['بوكس الشغل'],
    allowed: { text: 12_000, structured: 24_500 },
  },
  {
    question: 'طاجن العكاوي في منيو ليالي فرع محطة الرمل بكام؟',
    calls: [
      // Raml Station is a branch of Zawya, not of Layaly.
      { tool: 'get_shop', args: { shop: 'zawya' } },
      {
        tool: 'get_menu',
        args: ({ branch }) => ({ shop: 'layaly', branch_id: branch('محطة الرمل') }),
        refused: true,
      },
      {
        tool: 'get_menu',
        args: ({ branch }) => ({ shop: 'layaly', branch_id: branch('كورنيش المعادي') }),
      },
    ],
    // layaly.json: the oxtail tagine is 330; sold out at Sheikh Zayed, ten left at the Corniche.
    text: [
      /ليالي \(Layaly\) has no branch with the id/,
      /Its branches.*الشيخ زايد \(Sheikh Zayed\).*كورنيش المعادي \(Maadi Corniche\)/,
      'طاجن عكاوي بالبصل (Oxtail tagine with onions): 330.00 EGP',
    ],
    structured: [
      { shop_name: 'ليالي', branch_name: 'كورنيش المعادي' },
      { name: 'طاجن عكاوي بالبصل', name_translations: { en: 'Oxtail tagine with onions' }, price_egp: 330 },
    ],
    allowed: { text: 6_400, structured: 11_500 },
  },
];
