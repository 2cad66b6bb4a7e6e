import { expect, test } from 'vitest';
import { createCutOff } from './cut-off.ts';

const direct = (key: string) => ({ key, isProxy: false });

const watched = (isDivided = true) => {
  const closed: string[] = [];
  const cutOff = createCutOff(isDivided, (client) => closed.push(client));
  const refuse = (client: string, times: number, isProxy = false): void => {
    for (let n = 0; n < times; n += 1)
      cutOff.refused({ key: isProxy ? 'the proxy' : client, isProxy }, client);
  };
  return { cutOff, closed, refuse };
};

test('who was refused 3,000 times in a minute is cut off once, others are not, and the next minute is another', () => {
  const { cutOff, closed, refuse } = watched();
  refuse('a guest', 100);
  refuse('the flood', 2_999);
  expect([closed, cutOff.isCutOff(direct('the flood'))]).toEqual([[], false]);
  refuse('the flood', 10_000);
  expect(closed).toEqual(['the flood']);
  expect([cutOff.isCutOff(direct('the flood')), cutOff.isCutOff(direct('a guest'))]).toEqual([true, false]);
  cutOff.forget();
  expect(cutOff.isCutOff(direct('the flood'))).toBe(false);
});

test('a proxy is never cut off for one of its clients', () => {
  const { cutOff, closed, refuse } = watched();
  refuse('a client behind it', 20_000, true);
  expect([closed, cutOff.isCutOff({ key: 'the proxy', isProxy: true })]).toEqual([[], false]);
});

test('without limits nobody is', () => {
  const { closed, refuse } = watched(false);
  refuse('the flood', 20_000);
  expect(closed).toEqual([]);
});

test('memory is bounded: with 50,000 clients counted, the next is not', () => {
  const { closed, refuse } = watched();
  for (let n = 0; n < 50_000; n += 1) refuse(`${n}`, 1);
  refuse('one more', 3_000);
  refuse('49999', 2_999);
  expect(closed).toEqual(['49999']);
});
