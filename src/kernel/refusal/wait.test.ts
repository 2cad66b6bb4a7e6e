import { expect, test } from 'vitest';
import { waitText } from './wait.ts';

test.each([
  [1, '1 second', 'ثانية واحدة'],
  [2, '2 seconds', 'ثانيتين'],
  [7, '7 seconds', '7 ثوانٍ'],
  [60, '60 seconds', '60 ثانية'],
  [119, '119 seconds', '119 ثانية'],
  [120, '2 minutes', 'دقيقتين'],
  [181, '4 minutes', '4 دقائق'],
  [2_578, '43 minutes', '43 دقيقة'],
  [7_199, '120 minutes', '120 دقيقة'],
  [7_200, '2 hours', 'ساعتين'],
  [86_400, '24 hours', '24 ساعة'],
])('a wait of %d s is said as %s', (seconds, english, arabic) => {
  expect(waitText('en', seconds)).toBe(english);
  expect(waitText('ar', seconds)).toBe(arabic);
});
