/** About whose card and phone it is (Decisions 8, 11). */
export const IDENTITY_REFUSALS = {
  IDENTITY_CHOICE_REQUIRED: {
    status: 409,
    code: 'IDENTITY_CHOICE_REQUIRED',
    en: 'This phone is not the one on your card. Is this order for someone else?',
    ar: 'هذا الرقم ليس الرقم المسجل على بطاقتك. هل الطلب لشخص آخر؟',
    when: 'An order with a `member_token` whose typed phone is not the card’s, without `identity_change: one_time`; `kind` is `phone`.',
  },
  PHONE_BELONGS_TO_ANOTHER: {
    status: 409,
    code: 'PHONE_BELONGS_TO_ANOTHER',
    en: 'This shop already knows this phone, with orders or a card of its own. The two can be combined.',
    ar: 'هذا الرقم مسجل بالفعل لدى المحل بطلبات أو بطاقة أخرى. يمكن دمج الاثنين.',
    when: 'A card’s new phone is that of another customer; `can_combine` says whether the two can be combined now.',
  },
  PHONE_COMBINED_LATELY: {
    status: 409,
    code: 'PHONE_BELONGS_TO_ANOTHER',
    en: 'This shop already knows this phone, and combined it with another less than 24 hours ago. Combine the two after that.',
    ar: 'هذا الرقم مسجل بالفعل لدى المحل، ودُمج مع رقم آخر منذ أقل من ٢٤ ساعة. يمكنك دمج الاثنين بعدها.',
    when: 'The same within 24 hours of a combination; `can_combine` is false.',
  },
  NOTHING_TO_COMBINE: {
    status: 409,
    code: 'NOTHING_TO_COMBINE',
    en: 'There is nothing to combine: the shop knows nobody else with this phone.',
    ar: 'لا يوجد ما يُدمج: لا أحد غيرك مسجل لدى المحل بهذا الرقم.',
    when: 'A card is to be combined with a phone of no other customer, or a customer with themselves.',
  },
  IDENTITY_LOCKED_AFTER_MERGE: {
    status: 409,
    code: 'IDENTITY_LOCKED_AFTER_MERGE',
    en: 'Two cards were combined less than 24 hours ago. Change the phone after that.',
    ar: 'تم دمج بطاقتين منذ أقل من ٢٤ ساعة. يمكنك تغيير الرقم بعدها.',
    when: 'A phone is to be replaced or a card combined within 24 hours of combining either.',
  },
  IDENTITY_REPLACE_LIMIT: {
    status: 409,
    code: 'IDENTITY_REPLACE_LIMIT',
    en: 'The phone of this card was replaced twice in 30 days. Ask the shop for help.',
    ar: 'تم تغيير رقم هذه البطاقة مرتين خلال ٣٠ يومًا. اطلب المساعدة من المحل.',
    when: 'The phone of a card is to be replaced a third time within 30 days.',
  },
} as const;
