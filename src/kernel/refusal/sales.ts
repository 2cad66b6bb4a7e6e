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
  TILL_CLOSED: {
    status: 409,
    code: 'TILL_CLOSED',
    en: 'This till is closed.',
    ar: 'هذه الخزينة مغلقة.',
    when: 'Cash is moved in a till that is closed.',
  },
};
