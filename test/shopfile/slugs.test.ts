import { expect, test } from 'vitest';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { SLUG_PATTERN } from '../../src/kernel/ids.ts';
import { isReservedSlug } from '../../src/kernel/slugs.ts';

test('the first path segment of every endpoint is a reserved slug', () => {
  const firstParts = Object.values(endpoints).map(({ path }) => path.split('/')[1] ?? '');
  for (const part of firstParts.filter((text) => new RegExp(SLUG_PATTERN).test(text)))
    expect(isReservedSlug(part)).toBe(true);
  for (const slug of [
    'staff',
    'sync',
    'mcp',
    'docs',
    'health',
    'ready',
    'track',
    'card',
    'manage',
    'well-known',
    'openapi',
  ])
    expect(isReservedSlug(slug)).toBe(true);
  for (const slug of ['beit-el-bunn', 'zawya', 'public-house', 'my-menu'])
    expect(isReservedSlug(slug)).toBe(false);
});
