/** A guest at the booking page, by what stands there. */
import type { Page } from 'playwright-core';
import type { World } from '../server/world.ts';

export const PAGE = '/beit-el-bunn/book';
/** Where the branch is. */
export const PLACE = { address: '١٢ شارع البرازيل', phone: '+20227350000' };

/** Friday noon in Cairo, without a booking or a hold. */
export const beginDay = async (world: World): Promise<void> => {
  world.now = Date.parse('2026-11-20T10:00:00Z');
  for (const table of ['booking', 'booking_hold'] as const) await world.db.kysely.deleteFrom(table).execute();
};

export const bookingsIn = ({
  db,
}: World): Promise<readonly { readonly guest_name: string; readonly party_size: number }[]> =>
  db.kysely.selectFrom('booking').select(['guest_name', 'party_size']).execute();

export const WORDS = {
  ar: {
    title: 'احجز طاولة',
    ...{ eight: '8:00 م', seven: '7:00 م', saturday: 'السبت، 21 نوفمبر', four: '4 ضيوف' },
    ...{ details: 'بياناتك', name: 'الاسم', phone: 'رقم الموبايل', notes: 'ملاحظات (اختياري)' },
    ...{ book: 'أكّد الحجز', code: 'كود التأكيد', booked: 'طاولتك محجوزة', kept: 'الطاولة محفوظة لك' },
    ...{ wrong: 'الكود غير صحيح', noName: 'اكتب اسمك', noPhone: 'ليس رقم موبايل' },
  },
  en: {
    title: 'Book a table',
    ...{ eight: '8:00 pm', seven: '7:00 pm', saturday: 'Saturday 21 November', four: '4 guests' },
    ...{ details: 'Your details', name: 'Name', phone: 'Mobile number', notes: 'Notes (optional)' },
    ...{ book: 'Book the table', code: 'Confirmation code', booked: 'Your table is booked' },
    ...{ kept: 'Your table is kept', wrong: 'This code is wrong' },
    ...{ noName: 'Write your name', noPhone: 'This is no mobile number' },
  },
} as const;
export type Words = (typeof WORDS)['ar' | 'en'];

export const time = (page: Page, text: string) => page.getByRole('button', { name: text }).first();
export const heading = (page: Page, name: string) => page.getByRole('heading', { name });

/** Chooses a time; the details are shown. */
export const choose = async (page: Page, t: Words, text: string): Promise<void> => {
  await time(page, text).click();
  await heading(page, t.details).waitFor();
};

export const fill = async (page: Page, t: Words, phone: string): Promise<void> => {
  await page.getByLabel(t.name).fill('منى السيد');
  await page.getByLabel(t.phone).fill(phone);
};

export const submit = (page: Page, t: Words): Promise<void> =>
  page.getByRole('button', { name: t.book }).click();
