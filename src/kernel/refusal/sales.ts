/** (Decisions 4, 5, 12) */
export const SALES_REFUSALS = {
  TILL_OPEN_ELSEWHERE: {
    status: 409,
    code: 'TILL_OPEN_ELSEWHERE',
    en: 'You have an open till on another device. Close it there first.',
    ar: 'لديك خزينة مفتوحة على جهاز آخر. أغلقها من هناك أولاً.',
    when: 'A till is opened by a person who has one open on another device; `till` is that one.',
  },
  TILL_OPEN_AT_OTHER_BRANCH: {
    status: 409,
    code: 'TILL_OPEN_AT_OTHER_BRANCH',
    en: 'You have an open till at another branch. Close it first.',
    ar: 'لديك خزينة مفتوحة في فرع آخر. أغلقها أولاً.',
    when: 'A till is opened by a person who has one open at another branch; `till` is that one.',
  },
  TILL_REQUIRED: {
    status: 409,
    code: 'TILL_REQUIRED',
    en: 'Open a till first: this branch takes the money into one.',
    ar: 'افتح خزينة أولاً: هذا الفرع يحصّل في خزينة مفتوحة.',
    when: 'A sale for which the branch asks for an open till (`sales_need_till`), by a person who has none there.',
  },
  PAYMENT_MISMATCH: {
    status: 400,
    code: 'PAYMENT_MISMATCH',
    en: 'The payments come to {got} piastres, the total is {total}.',
    ar: 'المدفوع {got} قرش، والإجمالي {total} قرش.',
    when: 'Payments that do not add up to the total; `vars` has `total` and `got`.',
  },
  ALREADY_REFUNDED: {
    status: 409,
    code: 'ALREADY_REFUNDED',
    en: 'These units were refunded before.',
    ar: 'رُدّ ثمن هذه الوحدات من قبل.',
    when: 'More units of a line are refunded than are left of it; `vars` has its `index`, the `units` and how many are `left`.',
  },
  STAFF_DRINK_ALLOWANCE: {
    status: 409,
    code: 'STAFF_DRINK_ALLOWANCE',
    en: 'You may have {allowed} drinks a day here, and have had {taken}.',
    ar: 'المسموح لك هنا {allowed} في اليوم، وقد أخذت {taken}.',
    when: 'More staff drinks than the branch gives a person on a day (`staff_drinks_per_day`); `vars` has `allowed` and `taken`.',
  },
  TILL_CLOSED: {
    status: 409,
    code: 'TILL_CLOSED',
    en: 'This till is closed.',
    ar: 'هذه الخزينة مغلقة.',
    when: 'Cash is moved in a till that is closed.',
  },
};
