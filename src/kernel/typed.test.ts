import { expect, test } from 'vitest';
import { plainFigures } from './typed.ts';

test('figures pasted from a chat lose their marks and odd spaces, and nothing that can be seen', () => {
  expect(plainFigures('\u200F\u202B١٢٣\u00A0\u200B۴۵۶\u202C\uFEFF')).toBe('123 456');
  expect(plainFigures(' １２\t３\n')).toBe('12 3');
  expect(plainFigures('a-1')).toBe('a-1');
});
