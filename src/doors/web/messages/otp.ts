/** One-time codes. */
export default {
  code: { ar: 'كود التأكيد', en: 'Confirmation code' },
  sentTo: { ar: 'أرسلنا رسالة بها كود من ستة أرقام إلى', en: 'We sent a message with six digits to' },
  incomplete: { ar: 'اكتب أرقام الكود الستة.', en: 'Write all six digits of the code.' },
  resendIn: { ar: 'يمكنك طلب كود آخر بعد {time}', en: 'Another code in {time}' },
  resend: { ar: 'أرسل كودًا آخر', en: 'Send another code' },
  otherPhone: { ar: 'غيّر رقم الهاتف', en: 'Change the phone number' },
} as const;
