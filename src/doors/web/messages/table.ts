/** A table: ordering by its QR code, and its running bill. */
export default {
  send: { ar: 'أرسل الطلب', en: 'Send the order' },
  sending: { ar: 'جارٍ الإرسال…', en: 'Sending…' },
  sent: { ar: 'وصل طلبك.', en: 'We have your order.' },
  sentWaiting: {
    ar: 'وصل طلبك، وسيؤكده فريق المكان.',
    en: 'We have your order. The staff will confirm it.',
  },
  sentRejected: {
    ar: 'لم يُقبل طلبك. اسأل فريق المكان.',
    en: 'Your order was not accepted. Please ask the staff.',
  },
  sentBefore: {
    ar: 'طلبك وصل من قبل، وحالته في الحساب بالأسفل.',
    en: 'We already had your order: the bill below has its state.',
  },
  sentGone: {
    ar: 'طلبك لم يعد في حساب هذه الطاولة. اسأل فريق المكان.',
    en: 'Your order is not in the bill of this table any more. Please ask the staff.',
  },
  unknown: {
    ar: 'لم يصلنا رد بعد. اضغط «أرسل الطلب» مرة أخرى: لن يُسجَّل مرتين.',
    en: 'There is no answer yet. Press “Send the order” again: it is not taken twice.',
  },
  bill: { ar: 'حساب الطاولة', en: 'The bill of your table' },
  noBill: { ar: 'لا طلبات على هذه الطاولة بعد.', en: 'Nothing is ordered at this table yet.' },
  round: { ar: 'الطلب {n}', en: 'Order {n}' },
  waiting: { ar: 'في انتظار التأكيد', en: 'Waiting for the staff' },
  fired: { ar: 'يُحضَّر', en: 'Being made' },
  ready: { ar: 'جاهز', en: 'Ready' },
  rejected: { ar: 'لم يُقبل', en: 'Not accepted' },
  void: { ar: 'أُلغي', en: 'Taken off' },
  total: { ar: 'الإجمالي حتى الآن', en: 'Total so far' },
  due: { ar: 'المتبقي', en: 'Left to pay' },
  offline: { ar: 'لا اتصال الآن، وهذا آخر ما نعرفه.', en: 'No connection: this is the last we know.' },
  endedCode: {
    ar: 'هذا الكود لم يعد يعمل. امسح الكود الموجود على الطاولة، أو اسأل فريق المكان.',
    en: 'This code does not work any more. Please scan the code on the table, or ask the staff.',
  },
  notes: { ar: 'ملاحظة لطلبك', en: 'A note for your order' },
  yourName: { ar: 'اسمك', en: 'Your name' },
  closed: {
    ar: 'الطلب من الطاولة غير متاح الآن. اطلب من فريق المكان.',
    en: 'Orders from the table are not taken now. Please ask the staff.',
  },
};
