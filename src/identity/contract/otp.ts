import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { Flag, Int32, Text } from '../../platform/contract/scalars.ts';

/** Unknown fields are refused by name (Decisions 7). */
const strict = { additionalProperties: false } as const;

/** At most 32 characters (Decisions 10). */
export const PhoneInput = (
  description = "A mobile phone, in any usual writing; Egypt's without a country code.",
) => Type.String({ minLength: 1, maxLength: 32, description, examples: ['0100 123 4567'] });

/** Shapes, OtpRequestInput. */
export const OtpRequestInput = Type.Object({ phone: PhoneInput() }, strict);
/** Shapes, OtpRequestResponse; `resend_after_seconds` is additive. */
export const OtpRequestResponse = Type.Object({
  sent: Flag({ description: 'Always true: what is not sent is refused.' }),
  resend_after_seconds: Int32({
    minimum: 0,
    description: 'When another code can be asked for, unless ten were sent in 24 hours.',
  }),
});
/** Shapes, OtpVerifyInput. */
export const OtpVerifyInput = Type.Object(
  {
    phone: PhoneInput(),
    code: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'The six digits, Arabic ones and spaces too.',
      examples: ['482915'],
    }),
  },
  strict,
);
/** Shapes, OtpVerifyResponse. */
export const OtpVerifyResponse = Type.Object({
  device_token: Text({
    description:
      'Proves this phone at every shop for 90 days. Whoever holds it counts as its owner: keep it secret.',
    examples: ['dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk'],
  }),
});

export const requestOtp = endpoint({
  id: 'requestOtp',
  method: 'POST',
  path: '/public/otp/request',
  tag: 'Codes',
  summary: 'Sends a one-time code to a phone',
  description:
    'A code lives 5 minutes and 5 tries. Another can be asked for after 60 s; until it is sent the earlier one still ' +
    'works. The answer never tells whether a phone is known.',
  params: {},
  query: {},
  body: OtpRequestInput,
  reply: OtpRequestResponse,
  refusals: ['CODES_SPENT', 'CODE_COUNTRY_NOT_SERVED', 'CODE_NOT_SENT'],
  cache: 'no-store',
  limit: 'otp',
  examples: {
    'a code': { body: { phone: '0100 123 4567' }, reply: { sent: true, resend_after_seconds: 60 } },
  },
});

export const verifyOtp = endpoint({
  id: 'verifyOtp',
  method: 'POST',
  path: '/public/otp/verify',
  tag: 'Codes',
  summary: 'Turns a one-time code into proof of the phone on this device',
  params: {},
  query: {},
  body: OtpVerifyInput,
  reply: OtpVerifyResponse,
  refusals: ['OTP_INVALID'],
  cache: 'no-store',
  limit: 'otp',
  examples: {
    'the right code': {
      body: { phone: '0100 123 4567', code: '482915' },
      reply: { device_token: 'dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk' },
    },
  },
});
