/** Why a person should look at what a device recorded without the server (Decisions 13). */
import { filledIn, type Figures, type Words } from '../../kernel/refusal.ts';

/** The words are filled in with the figures of the reason. */
const REASONS = {
  price_never_on: {
    en: '{item} was sold for {recorded} piastres, a price that it never had.',
    ar: 'بيع {item} بسعر {recorded} قرش، ولم يكن هذا سعره من قبل.',
  },
  item_archived: {
    en: '{item} was sold, which is not on the menu any more.',
    ar: 'بيع {item}، ولم يعد في قائمة المحل.',
  },
  item_unknown: {
    en: 'Something was sold that was never on the menu.',
    ar: 'بيع صنف لم يكن في قائمة المحل.',
  },
  stock_below_zero: {
    en: '{item}: {units} more were sold than were counted.',
    ar: '{item}: بيع أكثر من المتوفر بـ {units}.',
  },
  total_differs: {
    en: 'The device recorded a total of {recorded} piastres; its lines come to {expected}.',
    ar: 'سجّل الجهاز إجمالي {recorded} قرش، ومجموع بنوده {expected}.',
  },
  payments_differ: {
    en: '{got} piastres were paid of a total of {total}.',
    ar: 'دُفع {got} قرش من إجمالي {total}.',
  },
  method_unknown: {
    en: 'Paid by {method}, which is no payment method of this shop.',
    ar: 'الدفع بطريقة {method}، وهي ليست من طرق الدفع في هذا المحل.',
  },
  till_closed: {
    en: 'Its till was closed before.',
    ar: 'أُغلقت خزينته قبل ذلك.',
  },
  till_missing: {
    en: 'Its till has not come for a day; the money is in the books without it.',
    ar: 'لم تصل خزينته منذ يوم، وسُجّل المبلغ في الحسابات بدونها.',
  },
  till_open_elsewhere: {
    en: 'This person had another open till.',
    ar: 'كانت لهذا الشخص خزينة أخرى مفتوحة.',
  },
  till_unknown: {
    en: 'Its till is none of this branch.',
    ar: 'خزينته ليست من خزائن هذا الفرع.',
  },
  table_taken: {
    en: 'The table had another bill.',
    ar: 'كانت على الطاولة فاتورة أخرى.',
  },
  table_unknown: {
    en: 'The table is none of this branch.',
    ar: 'الطاولة ليست من طاولات هذا الفرع.',
  },
  till_none: {
    en: 'Money that belongs in a till changed hands while this person had none open; it is in none.',
    ar: 'تعامل هذا الشخص بمبلغ مكانه الخزينة ولم تكن له خزينة مفتوحة، فلم يُسجَّل في أي خزينة.',
  },
  ticket_ended: {
    en: 'Its bill had ended before.',
    ar: 'انتهت فاتورته قبل ذلك.',
  },
  line_voided: {
    en: 'The line was void before.',
    ar: 'أُلغي هذا البند قبل ذلك.',
  },
  settled_twice: {
    en: 'The bill was paid twice: {amount} piastres are beyond its total.',
    ar: 'دُفعت الفاتورة مرتين: {amount} قرش زيادة على إجماليها.',
  },
  bill_merged: {
    en: 'The bill had been merged with another one; the {amount} piastres that were paid are a part-payment of it.',
    ar: 'كانت الفاتورة قد ضُمّت إلى أخرى، وسُجّل ما دُفع ({amount} قرش) دفعة من حسابها.',
  },
  cuts_left_out: {
    en: 'The rewards or the discount that the device took off are not taken off this bill.',
    ar: 'المكافآت أو الخصم الذي منحه الجهاز لم يُخصم من هذه الفاتورة.',
  },
  paid_in_parts: {
    en: 'It was not voided: {paid} piastres of the bill are paid.',
    ar: 'لم تُلغَ الفاتورة: دُفع منها {paid} قرش.',
  },
  paid_beyond: {
    en: '{paid} piastres of a bill of the table are paid; its lines come to {total} now.',
    ar: 'دُفع من فاتورة على الطاولة {paid} قرش، وأصبح مجموع بنودها {total}.',
  },
  refund_beyond: {
    en: '{amount} piastres went back; {left} were left of the sale.',
    ar: 'أُعيد {amount} قرش، والمتبقي من البيع {left}.',
  },
  refund_of_other: {
    en: '{amount} piastres went back of what is booked as a part of another sale, or paid beyond it; they are in no refund of it.',
    ar: 'أُعيد {amount} قرش مما سُجّل ضمن بيع آخر أو زيادة عليه، وهي خارج مرتجعاته.',
  },
  refund_units: {
    en: '{amount} piastres of the sale went back for units that it has no more, or of which only all go back; they are in no line of it.',
    ar: 'أُعيد {amount} قرش من البيع عن وحدات لم تعد فيه أو لا تُرد إلا معاً، فلم تُحسب على أي بند.',
  },
  refund_differs: {
    en: '{recorded} piastres went back for units that were sold for {expected}.',
    ar: 'أُعيد {recorded} قرش عن وحدات بيعت بـ {expected}.',
  },
  balance_too_small: {
    en: 'The card had {balance}, and the rewards cost {cost}.',
    ar: 'رصيد البطاقة {balance}، وتكلفة المكافآت {cost}.',
  },
  voucher_missing: {
    en: 'Rewards were given without a voucher of the guest.',
    ar: 'صُرفت مكافآت بلا قسيمة من الضيف.',
  },
  voucher_invalid: {
    en: 'The voucher is none that this shop’s programme gave.',
    ar: 'القسيمة ليست من قسائم برنامج هذا المحل.',
  },
  voucher_of_other_card: {
    en: 'The voucher is of another card.',
    ar: 'القسيمة لبطاقة أخرى.',
  },
  voucher_expired: {
    en: 'The voucher was good until {until}, and was used later.',
    ar: 'كانت القسيمة صالحة حتى {until}، واستُخدمت بعد ذلك.',
  },
  voucher_overspent: {
    en: 'The voucher was good for {limit}; all sales on it cost {spent}.',
    ar: 'كانت القسيمة صالحة لـ {limit}، وتكلفة كل ما صُرف بها {spent}.',
  },
  reward_unknown: {
    en: 'A reward was given that the programme does not have.',
    ar: 'مُنحت مكافأة ليست في البرنامج.',
  },
  card_unknown: {
    en: 'The card is none of this shop.',
    ar: 'البطاقة ليست من بطاقات هذا المحل.',
  },
  discount_unknown: {
    en: 'The discount is none that tills give.',
    ar: 'الخصم ليس من خصومات الخزينة.',
  },
  drink_allowance: {
    en: 'Drinks of the staff: {taken} were taken of {allowed} a day.',
    ar: 'مشروبات العاملين: {taken} من {allowed} في اليوم.',
  },
  drink_recorded: {
    en: 'A drink of the staff was recorded before.',
    ar: 'سُجّل مشروب العاملين هذا من قبل.',
  },
  not_permitted: {
    en: 'This person may not do that.',
    ar: 'ليس لهذا الشخص صلاحية لهذا.',
  },
  person_left: {
    en: 'This person does not work at the branch any more.',
    ar: 'لم يعد هذا الشخص يعمل في الفرع.',
  },
  device_ended: {
    en: 'The device was revoked, or not used for long.',
    ar: 'أُلغي الجهاز أو لم يُستخدم منذ مدة طويلة.',
  },
  branch_off: {
    en: 'The shop or the branch was switched off.',
    ar: 'المحل أو الفرع كان متوقفاً.',
  },
  in_the_future: {
    en: 'The clock of the device was ahead: {at}.',
    ar: 'ساعة الجهاز متقدمة: {at}.',
  },
  long_ago: {
    en: 'It happened long ago: {at}.',
    ar: 'حدث منذ مدة طويلة: {at}.',
  },
  id_taken: {
    en: 'Another one has this id; this one is not in the books.',
    ar: 'يوجد غيره بنفس المعرّف، وهذا غير مسجّل في الحسابات.',
  },
  not_applied: {
    en: 'It could not be recorded by itself: {problem}',
    ar: 'تعذّر تسجيله تلقائياً: {problem_ar}',
  },
  closed_while_waiting: {
    en: 'Its review was closed while it waited; now it is in the books.',
    ar: 'أُغلقت مراجعته وهو في الانتظار، ثم سُجّل في الحسابات.',
  },
  sale_elsewhere: {
    en: 'The sale is of another branch.',
    ar: 'عملية البيع من فرع آخر.',
  },
  parent_missing: {
    en: 'What it belongs to has not come.',
    ar: 'لم يصل ما يتبعه.',
  },
} as const satisfies Readonly<Record<string, Words>>;

export type ReviewCode = keyof typeof REASONS;

export const REVIEW_CODES = Object.keys(REASONS) as readonly ReviewCode[];

export interface ReviewReason {
  readonly code: ReviewCode;
  readonly figures: Figures;
}

export const reason = (code: ReviewCode, figures: Figures = {}): ReviewReason => ({ code, figures });

/** With the figures by their names. */
export const reasonTemplate = (code: ReviewCode): string => REASONS[code].en;

export const reasonWords = ({ code, figures }: ReviewReason): Words => ({
  en: filledIn(REASONS[code], 'en', figures),
  ar: filledIn(REASONS[code], 'ar', figures),
});
