/** Written by `npm run messages` from ../otp.ts. */

export const otp = {
  ar: {
    code: 'كود التأكيد',
    sentTo: 'أرسلنا رسالة بها كود من ستة أرقام إلى',
    incomplete: 'اكتب أرقام الكود الستة.',
    resendIn: (d: { readonly time: string }): string => 'يمكنك طلب كود آخر بعد ' + d.time,
    resend: 'أرسل كودًا آخر',
    otherPhone: 'غيّر رقم الهاتف',
  },
  en: {
    code: 'Confirmation code',
    sentTo: 'We sent a message with six digits to',
    incomplete: 'Write all six digits of the code.',
    resendIn: (d: { readonly time: string }): string => 'Another code in ' + d.time,
    resend: 'Send another code',
    otherPhone: 'Change the phone number',
  },
} as const;
