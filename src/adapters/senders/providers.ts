/** WhatsApp, and beside it an SMS gateway for one-time codes. */
import type { CodeSender } from '../../messaging/domain/code-text.ts';
import type { Messenger } from '../../ports.ts';
import type { BreakerParts } from '../timeout-breaker.ts';
import { sendInOrder, type OrderedSender, type OrderParts } from './in-order.ts';
import { smsSender, type SmsOptions } from './sms.ts';
import { whatsAppSender, type WhatsAppOptions } from './whatsapp.ts';

export interface ProviderSettings extends Omit<WhatsAppOptions, keyof BreakerParts> {
  /** In the order in which they are tried. */
  readonly codes: readonly CodeSender[];
  /** Null: not among `codes`. */
  readonly sms: Omit<SmsOptions, keyof BreakerParts> | null;
}

export interface ProviderParts extends Pick<BreakerParts, 'monotonic'>, Pick<OrderParts, 'onSent'> {
  readonly onFailing: (provider: string, reason: string) => void;
}

/** Messages go by WhatsApp, codes by each in turn. */
export const providersSender = (settings: ProviderSettings, parts: ProviderParts): Messenger => {
  const { codes, sms } = settings;
  const breakerOf = (provider: string): BreakerParts => ({
    monotonic: parts.monotonic,
    onFailing: (reason) => parts.onFailing(provider, reason),
  });
  const whatsApp = whatsAppSender({ ...settings, ...breakerOf('WhatsApp') });
  const bySms = sms && smsSender({ ...sms, ...breakerOf('the SMS gateway') });
  const senders = codes.flatMap((name): OrderedSender[] => {
    if (name === 'whatsapp') return [{ name, sendCode: (to) => whatsApp.sendCode(to) }];
    return bySms === null ? [] : [{ name, sendCode: bySms }];
  });
  return { ...whatsApp, sendCode: sendInOrder({ senders, onSent: parts.onSent }) };
};
