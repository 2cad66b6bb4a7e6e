/** Pictures through the commands: import, export, backup and restore. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aShopFile } from '../support/shops/cafe.ts';
import { aFolderWith, AN_SVG } from '../support/shops/pictures.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');
const elsewhere = useProgram('file', 'new');

test('an export to a file writes its pictures beside it, and a backup restores them', async () => {
  const from = aFolderWith({ 'pictures/brand/logo.svg': AN_SVG });
  const shop = aShopFile({ brand: { logo_url: 'pictures/brand/logo.svg' } });
  writeFileSync(join(from, 'shop.json'), JSON.stringify(shop));
  const imported = await bench.ahwa(['import', join(from, 'shop.json')]);
  expect([imported.code, imported.stdout]).toEqual([
    0,
    expect.stringContaining('pictures: 1 stored, 0 deleted'),
  ]);
  expect((await bench.ahwa(['import', join(from, 'shop.json'), '--dry-run'])).stdout).toContain(
    'nothing changes',
  );

  const to = aFolderWith({});
  expect((await bench.ahwa(['export', shop.slug, '-o', join(to, 'shop.json')])).code).toBe(0);
  expect(readFileSync(join(to, 'pictures/brand/logo.svg')).equals(AN_SVG)).toBe(true);
  const printed = await bench.ahwa(['export', shop.slug]);
  expect(printed.stderr).toContain('its 1 pictures are not in this output');
  expect(printed.stdout.trim()).toBe(readFileSync(join(to, 'shop.json'), 'utf8').trim());

  const backup = join(to, 'ahwa.backup');
  expect((await bench.ahwa(['backup', backup])).code).toBe(0);
  expect((await elsewhere.ahwa(['restore', backup])).code).toBe(0);
  const again = aFolderWith({});
  expect((await elsewhere.ahwa(['export', shop.slug, '-o', join(again, 'shop.json')])).code).toBe(0);
  expect(readFileSync(join(again, 'pictures/brand/logo.svg')).equals(AN_SVG)).toBe(true);
});
