/** Of passes in wallets. */
export const PASS_REFUSALS = {
  PASS_TOKEN_WRONG: {
    status: 401,
    code: null,
    en: 'This is not authorized for this pass.',
    ar: 'هذا غير مصرح له بهذه البطاقة.',
    when: 'A phone whose `Authorization` is not that of the pass, or a pass that there is not.',
  },
  PASS_NOT_AVAILABLE: {
    status: 503,
    code: null,
    en: 'Passes for the wallet are not available now.',
    ar: 'بطاقات المحفظة غير متاحة حاليًا.',
    when: 'A pass where Apple Wallet is not set up, or its certificate cannot be used.',
  },
} as const;
