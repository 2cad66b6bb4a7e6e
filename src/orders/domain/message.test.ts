import { describe, expect, test } from 'vitest';
import {
  TEMPLATES,
  TEMPLATE_NAMES,
  parameterCount,
  textOf,
  withLink,
} from '../../messaging/domain/template.ts';
import { messageFor, type GuestFacts, type StatusChange } from './message.ts';
import { LANGUAGES } from '../../kernel/names.ts';
import {
  CANCEL_REASONS,
  ORDER_STATUSES,
  STAFF_CANCEL_REASONS,
  type CancelReason,
  type OrderStatus,
} from './order.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';

const LINK = 'https://ahwa.example/track/6f0c';
const FACTS: GuestFacts = {
  language: 'en',
  shopName: 'Qahwa House',
  reference: 'D-ZML-260424-0007',
  prepMinutes: 25,
  cancelReason: null,
};

const templateOf = (
  from: OrderStatus | null,
  to: OrderStatus,
  channel: OnlineChannel = 'outside',
): string | null => messageFor({ from, to, channel }, FACTS)?.template ?? null;

const textFor = (change: Partial<StatusChange>, facts: Partial<GuestFacts> = {}): string | null => {
  const message = messageFor(
    { from: 'received', to: 'confirmed', channel: 'pickup', ...change },
    { ...FACTS, ...facts },
  );
  return message === null
    ? null
    : textOf(message.template, message.language, withLink(message.parameters, LINK));
};

const REASONS: readonly CancelReason[] = [...STAFF_CANCEL_REASONS, 'not_confirmed'];

describe('the message of a status change', () => {
  test.each(ONLINE_CHANNELS)('on %s exists for received, confirmed, rejected and cancelled', (channel) => {
    expect(templateOf(null, 'received', channel)).toBe('order_received');
    expect(templateOf('received', 'confirmed', channel)).toBe('order_confirmed');
    expect(templateOf('received', 'rejected', channel)).toBe('order_rejected');
    expect(templateOf('preparing', 'cancelled', channel)).toBe('order_cancelled');
  });

  test('is order_ready for a ready pickup order, and missing for a delivered one', () => {
    expect(templateOf('preparing', 'ready', 'pickup')).toBe('order_ready');
    expect(templateOf('ready', 'delivered', 'pickup')).toBeNull();
  });

  test.each(['outside', 'in_mall', 'umbrella'] as const)(
    'on %s is order_on_the_way for out_for_delivery, and missing for ready',
    (channel) => {
      expect(templateOf('preparing', 'ready', channel)).toBeNull();
      expect(templateOf('ready', 'out_for_delivery', channel)).toBe('order_on_the_way');
    },
  );

  test('is missing for delivered, from any status', () => {
    for (const from of ORDER_STATUSES)
      for (const channel of ONLINE_CHANNELS) expect(templateOf(from, 'delivered', channel)).toBeNull();
  });

  test('is order_confirmed for a skipped confirmation, unless the new step has a message', () => {
    expect(templateOf('received', 'preparing')).toBe('order_confirmed');
    expect(templateOf('received', 'ready', 'umbrella')).toBe('order_confirmed');
    expect(templateOf('received', 'ready', 'pickup')).toBe('order_ready');
    expect(templateOf('received', 'out_for_delivery')).toBe('order_on_the_way');
    expect(templateOf('confirmed', 'preparing')).toBeNull();
  });

  test('is missing for a step back, and present when the step is repeated', () => {
    expect(templateOf('ready', 'preparing', 'pickup')).toBeNull();
    expect(templateOf('out_for_delivery', 'confirmed')).toBeNull();
    expect(templateOf('ready', 'ready', 'pickup')).toBeNull();
    expect(templateOf('preparing', 'ready', 'pickup')).toBe('order_ready');
  });
});

describe('the text of a message', () => {
  test('has shop, reference, preparation time and link, in both languages', () => {
    expect(textFor({})).toBe(
      'Good news: Qahwa House has confirmed your order D-ZML-260424-0007. Expected preparation time: 25 minutes. You can follow it at https://ahwa.example/track/6f0c whenever you like.',
    );
    expect(textFor({}, { language: 'ar', shopName: 'بيت القهوة' })).toBe(
      'خبر سعيد: تم تأكيد طلبك من بيت القهوة برقم D-ZML-260424-0007. مدة التحضير المتوقعة: 25 دقيقة. يمكنك متابعته من https://ahwa.example/track/6f0c في أي وقت.',
    );
  });

  test.each([
    [1, '1 minute.', 'دقيقة واحدة.'],
    [2, '2 minutes.', 'دقيقتان.'],
    [5, '5 minutes.', '5 دقائق.'],
    [20, '20 minutes.', '20 دقيقة.'],
    [105, '105 minutes.', '105 دقائق.'],
  ])('has the right plural for %i minutes in both languages', (prepMinutes, english, arabic) => {
    expect(textFor({}, { prepMinutes })).toContain(`: ${english}`);
    expect(textFor({}, { prepMinutes, language: 'ar' })).toContain(`: ${arabic}`);
  });

  test.each(REASONS)('has the cancel reason %s in the guest’s language', (cancelReason) => {
    const { ar, en } = CANCEL_REASONS[cancelReason];
    expect(textFor({ to: 'cancelled' }, { cancelReason })).toContain(`Reason: ${en}.`);
    expect(textFor({ to: 'rejected' }, { cancelReason, language: 'ar' })).toContain(`السبب: ${ar}.`);
  });

  test('has the reason other when no reason is stored', () => {
    expect(textFor({ to: 'rejected' })).toContain(`Reason: ${CANCEL_REASONS.other.en}.`);
  });

  test('has no link among the stored parameters', () => {
    const message = messageFor({ from: null, to: 'received', channel: 'pickup' }, FACTS);
    expect(message?.parameters).toEqual(['Qahwa House', 'D-ZML-260424-0007']);
  });

  test('is one line, without control characters or placeholders of the shop’s name', () => {
    expect(textFor({}, { shopName: ' Two\r\n\tLines {{2}}\u2028' })).toContain(
      'Good news: Two Lines {{2}} has',
    );
    expect(
      messageFor({ from: null, to: 'received', channel: 'pickup' }, { ...FACTS, shopName: '\n' })
        ?.parameters[0],
    ).toBe('-');
  });

  test('is null for an unknown template or a wrong number of parameters', () => {
    expect(textOf('order_lost', 'en', [])).toBeNull();
    expect(textOf('toString', 'en', [])).toBeNull();
    expect(textOf('order_ready', 'en', ['Qahwa House'])).toBeNull();
    expect(textOf('order_ready', 'en', ['a', 'b', 'c', 'd'])).toBeNull();
  });
});

describe('a template', () => {
  const texts = TEMPLATE_NAMES.flatMap((name) =>
    LANGUAGES.map((language) => ({
      name,
      language,
      text: TEMPLATES[name][language],
      count: parameterCount(name),
    })),
  );

  test.each(texts)('$name in $language uses its parameters once each, in order', ({ text, count }) => {
    const used = [...text.matchAll(/\{\{(\d+)\}\}/g)].map(([, number]) => Number(number));
    expect(used).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  });

  test.each(texts)(
    '$name in $language has words around its parameters and fewer than 300 characters',
    ({ text, count }) => {
      // Words before, between and after the parameters.
      for (const between of text.split(/\{\{\d\}\}/)) expect(between).toMatch(/\p{L}/u);
      const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
      expect(words.length).toBeGreaterThanOrEqual(2 * count + 1);
      expect(text.length).toBeLessThan(300);
    },
  );
});
