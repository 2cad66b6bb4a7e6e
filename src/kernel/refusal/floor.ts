/** (Decisions 5, 12) */
export const FLOOR_REFUSALS = {
  TABLE_TAKEN: {
    status: 409,
    code: 'TABLE_TAKEN',
    en: 'There is an open bill on this table.',
    ar: 'توجد فاتورة مفتوحة على هذه الطاولة.',
    when: 'A ticket is opened on a table, or moved to one, that has an open ticket of others; `vars` has its `ticket_id`.',
  },
  TICKET_ENDED: {
    status: 409,
    code: 'TICKET_ENDED',
    en: 'This bill is closed.',
    ar: 'هذه الفاتورة مغلقة.',
    when: 'A change of a ticket that was settled or voided; `vars` has its `status` and `revision`.',
  },
  TICKET_MOVED: {
    status: 409,
    code: 'TICKET_MOVED',
    en: 'Somebody changed this bill meanwhile. Look at it again.',
    ar: 'تغيّرت هذه الفاتورة في هذه الأثناء. راجعها مرة أخرى.',
    when: 'A change of a ticket that was decided on an earlier `revision`; `vars` has its `status` and `revision`.',
  },
  PAID_IN_PARTS: {
    status: 409,
    code: 'PAID_IN_PARTS',
    en: '{paid} piastres of this bill are paid, more than the {total} it would come to. Undo a payment first.',
    ar: 'دُفع من هذه الفاتورة {paid} قرش، أكثر مما ستصبح عليه ({total}). ألغِ دفعة أولاً.',
    when: 'A change after which a bill would come to less than what was paid of it in parts; `vars` has `paid` and `total`.',
  },
  LINE_VOIDED: {
    status: 409,
    code: 'LINE_VOIDED',
    en: 'This line was cancelled before.',
    ar: 'هذا السطر أُلغي من قبل.',
    when: 'A line of a ticket that is void is voided or split off.',
  },
  COMBO_WHOLE_ONLY: {
    status: 409,
    code: 'COMBO_WHOLE_ONLY',
    en: 'A combo can only be taken off as a whole.',
    ar: 'الكومبو لا يُجزَّأ؛ خذه كله أو اتركه.',
    when: 'Some units of a line with a combo are voided, split off or refunded.',
  },
};
