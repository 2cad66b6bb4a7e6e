/** What a branch does not offer (Decisions 9). */
export const BOOKING_REFUSALS = {
  DATE_OUT_OF_RANGE: {
    status: 400,
    code: 'DATE_OUT_OF_RANGE',
    en: 'Bookings are taken for dates from {first} to {last}.',
    ar: 'الحجز متاح من {first} إلى {last}.',
    when: 'A booking date before today or beyond the horizon; `vars` has `first` and `last`.',
  },
  PARTY_SIZE_OUT_OF_RANGE: {
    status: 400,
    code: 'PARTY_SIZE_OUT_OF_RANGE',
    en: 'This branch takes parties of {min} to {max}.',
    ar: 'هذا الفرع يستقبل من {min} إلى {max} أفراد.',
    when: 'A party smaller or larger than the branch takes; `vars` has `min` and `max`.',
  },
  TIME_NOT_OFFERED: {
    status: 400,
    code: 'TIME_NOT_OFFERED',
    en: 'The branch offers no table at this time. Choose one of the times it lists.',
    ar: 'الفرع لا يقدم حجزًا في هذا الموعد. اختر موعدًا من المواعيد المعروضة.',
    when: 'A start that is none of the branch’s: between its steps, outside its hours, on a closed date, or skipped by the clock.',
  },
  TOO_SOON: {
    status: 400,
    code: 'TOO_SOON',
    en: 'It is too late to book this time: a booking is made at least {lead_time_minutes} minutes before.',
    ar: 'فات موعد حجز هذا الوقت: الحجز قبل الموعد بـ {lead_time_minutes} دقيقة على الأقل.',
    when: 'A start of today that is past or nearer than the lead time; `vars` has `lead_time_minutes`.',
  },
};
