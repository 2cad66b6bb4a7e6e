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

const sentence = (change: Partial<StatusChange>, facts: Partial<GuestFacts> = {}): string | null => {
  const message = messageFor(
    { from: 'received', to: 'confirmed', channel: 'pickup', ...change },
    { ...FACTS, ...facts },
  );
  return message === null
    ? null
    : textOf(message.template, message.language, withLink(message.parameters, LINK));
};

const REASONS: readonly CancelReason[] = [...STAFF_CANCEL_REASONS, 'not_confirmed'];

describe('a guest is told', () => {
  test.each(ONLINE_CHANNELS)(
    '%s: that the order came, that it was confirmed, that it will not come',
    (channel) => {
      expect(templateOf(null, 'received', channel)).toBe('order_received');
      expect(templateOf('received', 'confirmed', channel)).toBe('order_confirmed');
      expect(templateOf('received', 'rejected', channel)).toBe('order_rejected');
      expect(templateOf('preparing', 'cancelled', channel)).toBe('order_cancelled');
    },
  );

  test('to come to the counter for a pickup, and of nobody on the way', () => {
    expect(templateOf('preparing', 'ready', 'pickup')).toBe('order_ready');
    expect(templateOf('ready', 'delivered', 'pickup')).toBeNull();
  });

  test.each(['outside', 'in_mall', 'umbrella'] as const)(
    '%s: that it is on its way, not that it is ready',
    (channel) => {
      expect(templateOf('preparing', 'ready', channel)).toBeNull();
      expect(templateOf('ready', 'out_for_delivery', channel)).toBe('order_on_the_way');
    },
  );

  test('nothing about an order they have in their hand, however it got there', () => {
    for (const from of ORDER_STATUSES)
      for (const channel of ONLINE_CHANNELS) expect(templateOf(from, 'delivered', channel)).toBeNull();
  });

  test('that it was confirmed when the staff went straight to preparing it', () => {
    expect(templateOf('received', 'preparing')).toBe('order_confirmed');
    expect(templateOf('received', 'ready', 'umbrella')).toBe('order_confirmed');
    expect(templateOf('received', 'ready', 'pickup')).toBe('order_ready');
    expect(templateOf('received', 'out_for_delivery')).toBe('order_on_the_way');
    expect(templateOf('confirmed', 'preparing')).toBeNull();
  });

  test('nothing when a mis-tap is undone, and again when the step is taken in earnest', () => {
    expect(templateOf('ready', 'preparing', 'pickup')).toBeNull();
    expect(templateOf('out_for_delivery', 'confirmed')).toBeNull();
    expect(templateOf('ready', 'ready', 'pickup')).toBeNull();
    expect(templateOf('preparing', 'ready', 'pickup')).toBe('order_ready');
  });
});

describe('the sentence', () => {
  test('names the shop, the order, how long it takes and where to follow it', () => {
    expect(sentence({})).toBe(
      'Good news: Qahwa House has confirmed your order D-ZML-260424-0007. Expected preparation time: 25 minutes. You can follow it at https://ahwa.example/track/6f0c whenever you like.',
    );
    expect(sentence({}, { language: 'ar', shopName: 'بيت القهوة' })).toBe(
      'خبر سعيد: تم تأكيد طلبك من بيت القهوة برقم D-ZML-260424-0007. مدة التحضير المتوقعة: 25 دقيقة. يمكنك متابعته من https://ahwa.example/track/6f0c في أي وقت.',
    );
  });

  test.each([
    [1, '1 minute.', 'دقيقة واحدة.'],
    [2, '2 minutes.', 'دقيقتان.'],
    [5, '5 minutes.', '5 دقائق.'],
    [20, '20 minutes.', '20 دقيقة.'],
    [105, '105 minutes.', '105 دقائق.'],
  ])('counts %i minutes as people do', (prepMinutes, english, arabic) => {
    expect(sentence({}, { prepMinutes })).toContain(`: ${english}`);
    expect(sentence({}, { prepMinutes, language: 'ar' })).toContain(`: ${arabic}`);
  });

  test.each(REASONS)('gives the guest’s reason %s, in their language', (cancelReason) => {
    const { ar, en } = CANCEL_REASONS[cancelReason];
    expect(sentence({ to: 'cancelled' }, { cancelReason })).toContain(`Reason: ${en}.`);
    expect(sentence({ to: 'rejected' }, { cancelReason, language: 'ar' })).toContain(`السبب: ${ar}.`);
  });

  test('says so politely where no reason is known', () => {
    expect(sentence({ to: 'rejected' })).toContain(`Reason: ${CANCEL_REASONS.other.en}.`);
  });

  test('waits for its link until it is sent', () => {
    const message = messageFor({ from: null, to: 'received', channel: 'pickup' }, FACTS);
    expect(message?.parameters).toEqual(['Qahwa House', 'D-ZML-260424-0007']);
  });

  test('stays on one line, and a name that looks like a parameter stays a name', () => {
    expect(sentence({}, { shopName: ' Two\r\n\tLines {{2}}\u2028' })).toContain(
      'Good news: Two Lines {{2}} has',
    );
    expect(
      messageFor({ from: null, to: 'received', channel: 'pickup' }, { ...FACTS, shopName: '\n' })
        ?.parameters[0],
    ).toBe('-');
  });

  test('is none for a template or parameters that the provider would refuse', () => {
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

  test.each(texts)('$name in $language is one that a provider approves', ({ text, count }) => {
    // Words before, between and after the parameters.
    for (const between of text.split(/\{\{\d\}\}/)) expect(between).toMatch(/\p{L}/u);
    const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
    expect(words.length).toBeGreaterThanOrEqual(2 * count + 1);
    expect(text.length).toBeLessThan(300);
  });
});
