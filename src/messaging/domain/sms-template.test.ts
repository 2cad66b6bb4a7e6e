import { describe, expect, test } from 'vitest';
import { codeText } from './code-text.ts';
import { fitsContentType, smsBody, smsTemplateFaults } from './sms-template.ts';

const PHONE = '201001234567';
const HARD = 'كود "٤٩"\n\\ {phone} & = + %';

describe('the body of a request to an SMS gateway', () => {
  test('has JSON values that are read as they were, with quotes, line breaks and Arabic', () => {
    const body = smsBody('{"to":"+{phone}","text":"{text}"}', 'application/json', {
      phone: PHONE,
      text: HARD,
    });
    expect(JSON.parse(body)).toEqual({ to: `+${PHONE}`, text: HARD });
  });

  test('has form values that are read as they were', () => {
    const template = 'user=ahwa&to=%2B{phone}&message={text}';
    const body = smsBody(template, 'application/x-www-form-urlencoded', { phone: PHONE, text: HARD });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      ...{ user: 'ahwa', to: `+${PHONE}`, message: HARD },
    });
  });

  test('may name a placeholder twice, and a phone as a JSON number', () => {
    const body = smsBody('{"to":{phone},"text":"{text}","ref":"{phone}"}', 'application/json', {
      phone: PHONE,
      text: 'x',
    });
    expect(JSON.parse(body)).toEqual({ to: Number(PHONE), text: 'x', ref: PHONE });
  });
});

describe('a template', () => {
  test.each([
    ['{"to":"{phone}","text":"{text}"}', []],
    ['{"to":"{phone}","text":"{message}"}', ['{message} is unknown', '{text} is missing']],
    ['text={text}', ['{phone} is missing']],
    ['', ['{phone} is missing', '{text} is missing']],
  ])('%j has the faults %j', (template, expected) => {
    const named = smsTemplateFaults(template).map((fault) =>
      fault.replace(/^there is no placeholder (\S+)$/, '$1 is unknown').replace('the placeholder ', ''),
    );
    expect(named).toEqual(expected);
  });

  test.each([
    ['{"to":"{phone}","text":"{text}"}', 'application/json', true],
    ['{"to":"{phone}","text":{text}}', 'application/json', false],
    ['to={phone}&text={text}', 'application/json', false],
    ['to={phone}&text={text}', 'application/x-www-form-urlencoded', true],
    ['{"to":"{phone}","text":"{text}"}', 'application/x-www-form-urlencoded', false],
    ['{phone}={text}', 'application/x-www-form-urlencoded', false],
    ['to=+{phone}&text={text}', 'application/x-www-form-urlencoded', false],
    ['to=%2B{phone}&text={text}', 'application/x-www-form-urlencoded', true],
    ['to={phone}&text=كود {text}', 'application/x-www-form-urlencoded', false],
  ] as const)('%j as %s: %s', (template, type, fits) => {
    expect(fitsContentType(template, type)).toBe(fits);
  });
});

test('the text of a code begins with it, and is one message in either language', () => {
  const [arabic, english] = [codeText('ar', '493817'), codeText('en', '493817')];
  for (const text of [arabic, english]) expect(text.startsWith('493817 ')).toBe(true);
  expect(arabic.length).toBeLessThanOrEqual(70);
  expect(english.length).toBeLessThanOrEqual(160);
});
