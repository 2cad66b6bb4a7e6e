/** Scopes and expiry of combined answers. */
import { describe, expect, test } from 'vitest';
import { combineAnswers, type Answer } from './answer.ts';

const anAnswer = (overrides: Partial<Answer<string>> = {}): Answer<string> => ({
  body: 'a part',
  orgId: 'org',
  scopes: ['shop'],
  version: 7,
  validUntil: null,
  ...overrides,
});

describe('a combined answer', () => {
  test('has its own body and the shop of its parts', () => {
    expect(combineAnswers({ text: 'whole' }, anAnswer(), anAnswer())).toEqual({
      body: { text: 'whole' },
      orgId: 'org',
      scopes: ['shop'],
      version: 7,
      validUntil: null,
    });
  });

  test('has all scopes of its parts, each once', () => {
    const scopes = combineAnswers(
      '',
      anAnswer({ scopes: ['shop', 'branch:a'] }),
      anAnswer({ scopes: ['branch:b', 'branch:a'] }),
      anAnswer({ scopes: ['shop', 'day:a'] }),
    ).scopes;
    expect([...scopes].sort()).toEqual(['branch:a', 'branch:b', 'day:a', 'shop']);
  });

  test.each([
    [[7, 8, 9], 7],
    [[9, 7, 8], 7],
    [[9, 8, 7], 7],
    [[0, 1], 0],
  ])('of parts with versions %j has the version %i', (versions, oldest) => {
    const [first, ...others] = versions.map((version) => anAnswer({ version }));
    expect(combineAnswers('', first ?? anAnswer(), ...others).version).toBe(oldest);
  });

  test.each([
    [[300, 200], 200],
    [[200, 300], 200],
    [[null, 300, null], 300],
    [[300, null], 300],
    [[null, null], null],
    [[0, null], 0],
  ])('of parts valid until %j is valid until %j', (ends, end) => {
    const [first, ...others] = ends.map((validUntil) => anAnswer({ validUntil }));
    expect(combineAnswers('', first ?? anAnswer(), ...others).validUntil).toBe(end);
  });

  test('of one part has everything but the body of that part', () => {
    const one = anAnswer({ scopes: ['shop', 'order:1'], version: 3, validUntil: 5 });
    expect(combineAnswers('told', one)).toEqual({ ...one, body: 'told' });
  });
});
