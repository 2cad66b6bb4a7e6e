import { describe, expect, test } from 'vitest';
import { greetingMessage, isGreeting, obsoleteReason, parametersFor } from './greeting-message.ts';
import type { GreetedMember } from './greeting.ts';

const FACTS: Parameters<typeof greetingMessage>[0] = {
  ...{ kind: 'birthday', date: '2026-11-20', language: 'en', shopName: 'Beit El Bunn', mode: 'points' },
  ...{ words: { ar: null, en: 'Dear {name}, happy birthday' }, gift: 0 },
};

const toldTo = (name: string, facts: Partial<Parameters<typeof greetingMessage>[0]> = {}) => {
  const message = greetingMessage({ ...FACTS, ...facts });
  if (!isGreeting(message)) throw new Error('a greeting is one');
  return parametersFor(message, name);
};

describe('a greeting', () => {
  test('has the shop’s words with the guest’s first name, which is not stored', () => {
    expect(JSON.stringify(greetingMessage(FACTS))).toContain('{name}');
    expect(toldTo('Mona El Sayed')).toEqual(['Beit El Bunn', 'Dear Mona, happy birthday']);
  });

  test.each([
    ['ar', 'birthday', 'عيد ميلاد سعيد يا Mona!'],
    ['en', 'win_back', 'We have missed you, Mona!'],
  ] as const)('has words of ours where the shop wrote none in %s for %s', (language, kind, words) => {
    expect(toldTo('Mona', { language, kind, words: { ar: null, en: null } })[1]).toBe(words);
  });

  test.each([
    ['points', 1, 'نقطة واحدة', '1 point'],
    ['points', 2, 'نقطتان', '2 points'],
    ['points', 10, '10 نقاط', '10 points'],
    ['points', 25, '25 نقطة', '25 points'],
    ['visits', 2, 'زيارتان', '2 visits'],
  ] as const)('names a gift in %s: %i', (mode, gift, ar, en) => {
    expect(greetingMessage({ ...FACTS, mode, gift, language: 'ar' })).toMatchObject({
      template: 'birthday_gift',
      parameters: ['Beit El Bunn', 'عيد ميلاد سعيد يا {name}!', ar],
    });
    expect(greetingMessage({ ...FACTS, mode, gift }).parameters[2]).toBe(en);
  });

  test.each([
    ['{name}', '{name}'],
    ['{name}{name} x', '{name}{name}'],
    ["$& $1 $'", '$&'],
    ['Mona\r\nCall 0100', 'Mona'],
    ['  منى\u2028السيد ', 'منى'],
    ['{{3}}', '{{3}}'],
  ])('takes a name as it is: %j', (name, first) => {
    expect(toldTo(name)[1]).toBe(`Dear ${first}, happy birthday`);
  });

  test('fills no placeholder in the name of the shop, and stays short of what providers take', () => {
    expect(toldTo('Mona', { shopName: '{name} Café' })[0]).toBe('{name} Café');
    const words = { ar: null, en: '{name}'.repeat(80) };
    expect(toldTo('N'.repeat(80), { words })[1]).toHaveLength(600);
  });
});

describe('a greeting that waited', () => {
  const on = { isEnabled: true, amount: null, message: { ar: null, en: null } };
  const programme = { isEnabled: true, birthday: on, winBack: { ...on, afterDays: 60 } };
  const member: GreetedMember = { birthday: null, absentSince: null, isReachable: true };
  const off = { ...on, isEnabled: false };
  const reason = (
    kind: 'birthday' | 'win_back',
    changed: Partial<typeof programme> = {},
    person: Partial<GreetedMember> = {},
    date: string = FACTS.date,
  ) => {
    const message = greetingMessage({ ...FACTS, kind });
    if (!isGreeting(message)) throw new Error('a greeting is one');
    return obsoleteReason(message, { ...programme, ...changed }, { ...member, ...person }, date);
  };

  test('is sent while it is true; a birthday on its day alone', () => {
    expect(reason('birthday')).toBeNull();
    expect(reason('birthday', {}, {}, '2026-11-21')).toBe('the birthday is past');
    expect(reason('win_back', {}, {}, '2026-11-21')).toBeNull();
  });

  test('is not sent once the member has opted out or been here, or the shop has switched it off', () => {
    expect(reason('birthday', {}, { isReachable: false })).toMatch(/wants no greetings/);
    expect(reason('win_back', {}, { absentSince: 1 })).toBe('the member has been here since');
    expect(reason('birthday', {}, { absentSince: 1 })).toBeNull();
    expect(reason('birthday', { birthday: off })).toMatch(/no birthdays/);
    expect(reason('win_back', { winBack: { ...off, afterDays: 60 } })).toMatch(/no absences/);
    expect(reason('win_back', { isEnabled: false })).toMatch(/no absences/);
  });
});
