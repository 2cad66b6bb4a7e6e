/** Settings of the SMS gateway, the second sender of one-time codes. */
import {
  SMS_CONTENT_TYPES,
  smsTemplateFaults,
  type SmsContentType,
} from '../messaging/domain/sms-template.ts';
import { setting } from './setting.ts';
import { gatewayUrl, headerText, oneOf } from './values.ts';

export interface SmsSettings {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly contentType: SmsContentType;
  readonly body: string;
  readonly authorization: string | null;
}

const BODY = '{"to":"+{phone}","text":"{text}"}';

export const SMS_SETTINGS = {
  SMS_URL: setting<string | null>({
    parse: gatewayUrl,
    defaultValue: null,
    defaultText: 'none: codes go by WhatsApp alone',
    allowed: 'an https:// address without a query or placeholders, or an http:// address of this machine',
    secret: true,
    doc: 'Where an SMS gateway takes messages (docs/operations.md, Codes by SMS). Required where OTP_SENDER names sms.',
  }),
  SMS_METHOD: setting<'POST' | 'PUT'>({
    parse: oneOf(['POST', 'PUT']),
    defaultValue: 'POST',
    defaultText: 'POST',
    allowed: 'POST or PUT; with GET a code would be in an address, which servers log',
    doc: 'Method of the request to the SMS gateway.',
  }),
  SMS_CONTENT_TYPE: setting<SmsContentType>({
    parse: oneOf(SMS_CONTENT_TYPES),
    defaultValue: 'application/json',
    defaultText: 'application/json',
    allowed: `one of ${SMS_CONTENT_TYPES.join(', ')}`,
    doc: 'Form of SMS_BODY, by which each value in it is escaped.',
  }),
  SMS_BODY: setting({
    parse: (text) => (text.length <= 4_000 && smsTemplateFaults(text).length === 0 ? text : undefined),
    defaultValue: BODY,
    defaultText: BODY,
    allowed: 'a text with the placeholders {phone} and {text}, of at most 4000 characters',
    doc: 'Body of the request to the SMS gateway: {phone} is the phone as digits with the country code, without +; {text} the message.',
    faults: smsTemplateFaults,
    secret: true,
  }),
  SMS_AUTHORIZATION: setting<string | null>({
    parse: headerText,
    defaultValue: null,
    defaultText: 'none',
    allowed: 'a header value such as Bearer and a token',
    doc: 'Header `Authorization` of the request to the SMS gateway.',
    secret: true,
  }),
};
