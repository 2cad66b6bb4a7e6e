/** `renameShop`, and imports of files from before it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RenameFault, renameShop } from '../../src/shopfile/app/rename-shop.ts';
import { MAX_FORMER_SLUGS } from '../../src/shopfile/contract/shopfile.ts';
import { slugsOf } from '../../src/shopfile/store/shopfile.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aMinimalShopFile } from '../support/shops/shop-file.ts';
import {
  faultLines,
  faultsOfImport,
  openImportFixture,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
let shops = 0;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const newSlug = (): string => `renamed-${(shops += 1)}`;
const opened = async (): Promise<{ readonly slug: string; readonly orgId: string }> => {
  const slug = newSlug();
  const { orgId } = await fixture.import(aMinimalShopFile({ slug }));
  return { slug, orgId };
};
const rename = (slug: string, to: string) => renameShop(fixture, slug, to);
const refusalOf = async (slug: string, to: string): Promise<string> => {
  const fault: unknown = await rename(slug, to).catch((thrown: unknown) => thrown);
  return fault instanceof RenameFault ? fault.message : expect.fail(`not refused: ${String(fault)}`);
};

describe('a renamed shop', () => {
  test('has the new slug, and the old one as a former slug', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    expect(await rename(slug, to)).toEqual({ orgId, from: slug, to });
    expect(await fixture.export(slug)).toMatchObject({ id: orgId, slug: to, former_slugs: [slug] });
  });

  test('is a change that every process and device hears of, and an audit entry of the operator', async () => {
    const { slug, orgId } = await opened();
    const { seq } = await fixture.changes(orgId);
    const to = newSlug();
    await rename(slug, to);
    expect((await fixture.changes(orgId, seq)).changes).toEqual([
      { scope: 'shop', type: 'shop', id: orgId, op: 'upsert' },
    ]);
    expect(await auditOf(fixture, orgId)).toMatchObject([
      { action: 'shop.renamed', subject_id: orgId, staff_id: null, detail: { from: slug, to } },
    ]);
  });

  test('takes a former slug back', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    await rename(slug, to);
    expect(await rename(to, slug)).toEqual({ orgId, from: to, to: slug });
    expect(await fixture.export(to)).toMatchObject({ slug, former_slugs: [to] });
  });

  test('is not changed by the same command again, also under its former slug', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    await rename(slug, to);
    const { seq } = await fixture.changes(orgId);
    for (const asked of [slug, to]) expect(await rename(asked, to)).toEqual({ orgId, from: to, to });
    expect((await fixture.changes(orgId, seq)).changes).toEqual([]);
  });
});

describe('a rename is refused', () => {
  test('to a slug of another shop, also a former one', async () => {
    const [mine, other] = [await opened(), await opened()];
    const later = newSlug();
    await rename(other.slug, later);
    for (const taken of [other.slug, later])
      expect(await refusalOf(mine.slug, taken)).toBe(`‘${taken}’ leads to another shop.`);
    expect(await fixture.export(mine.slug)).toMatchObject({ slug: mine.slug });
  });

  test.each(['menu', 'staff', 'ahwa'])('to %s, an address of the service', async (reserved) => {
    const { slug } = await opened();
    expect(await refusalOf(slug, reserved)).toBe(
      `‘${reserved}’ is the name of one of the service’s own addresses.`,
    );
  });

  test.each(['', 'a', '-bunn', 'Bunn', 'بن', 'beit el bunn', 'bunn/menu', 'b'.repeat(64)])(
    'to ‘%s’, which is no slug',
    async (wrong) => {
      const { slug } = await opened();
      expect(await refusalOf(slug, wrong)).toContain('cannot be an address name');
    },
  );

  test('of a shop that nobody has', async () => {
    await expect(rename('nobody-has-this', newSlug())).rejects.toThrow('There is no shop');
  });

  test('when the shop would have more former slugs than its file can list', async () => {
    const { slug, orgId } = await opened();
    const file = await fixture.export(slug);
    const former_slugs = Array.from({ length: MAX_FORMER_SLUGS }, () => newSlug());
    await fixture.import({ ...file, former_slugs });
    expect(await refusalOf(slug, newSlug())).toBe('A shop has at most 50 former address names.');
    const other = { ...file, id: orgId, slug: newSlug() };
    await expect(fixture.import(other)).rejects.toThrow(
      /former_slugs would be 51 with those that the shop has had/,
    );
    expect((await rename(slug, former_slugs[0] ?? '')).orgId).toBe(orgId);
    await fixture.import(await fixture.export(slug));
  });
});

describe('renames at once', () => {
  test('of two shops to one slug: one shop has it, the other keeps its own and is told', async () => {
    const [one, two] = [await opened(), await opened()];
    const wanted = newSlug();
    const tries = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? one : two));
    const outcomes = await Promise.allSettled(tries.map(({ slug }) => rename(slug, wanted)));
    const { id: winner } = await fixture.export(wanted);
    for (const [at, outcome] of outcomes.entries())
      if (tries[at]?.orgId === winner) expect(outcome).toMatchObject({ status: 'fulfilled' });
      else expect(outcome).toMatchObject({ reason: { message: `‘${wanted}’ leads to another shop.` } });
    for (const { slug, orgId } of [one, two])
      expect(await fixture.export(slug)).toMatchObject({ id: orgId, slug: orgId === winner ? wanted : slug });
  });

  test('of one shop follow each other: every slug leads to it, and the last is the present one', async () => {
    const { slug, orgId } = await opened();
    const wanted = Array.from({ length: 12 }, () => newSlug());
    const done = await Promise.all(wanted.map((to) => rename(slug, to)));
    expect((await slugsOf(fixture.db.kysely, orgId)).sort()).toEqual([slug, ...wanted].sort());
    // Each began where another ended.
    const { slug: present } = await fixture.export(slug);
    expect(done.map(({ from }) => from).sort()).toEqual(
      [slug, ...wanted].filter((each) => each !== present).sort(),
    );
  });

  test('with an import of the shop lose nothing', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    const file = { ...aMinimalShopFile({ slug }), id: orgId, name: 'اسم جديد' };
    await Promise.all([rename(slug, to), fixture.import(file)]);
    expect(await slugsOf(fixture.db.kysely, orgId)).toEqual(expect.arrayContaining([slug, to]));
    expect((await fixture.export(slug)).name).toEqual({ ar: 'اسم جديد' });
  });
});

describe('a shop file from before the rename', () => {
  test('renames the shop back, with a warning', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    await rename(slug, to);
    const { warnings } = await fixture.import(aMinimalShopFile({ slug }));
    expect(warnings).toEqual([
      `the shop has had ‘${slug}’ before, and is renamed from ‘${to}’ back to it; to keep ‘${to}’, write it into the file as \`slug\``,
    ]);
    expect(await fixture.export(slug)).toMatchObject({ id: orgId, slug, former_slugs: [to] });
  });

  test('with the new slug needs the id of the shop, and is the same shop with it', async () => {
    const { slug, orgId } = await opened();
    const to = newSlug();
    await rename(slug, to);
    const file = aMinimalShopFile({ slug: to });
    expect(faultLines(await faultsOfImport(fixture.import(file)))).toEqual([
      `slug: leads to another shop; if it is this one, give the file \`"id": "${orgId}"\``,
    ]);
    expect(await fixture.import({ ...file, id: orgId })).toMatchObject({ updated: 0, warnings: [] });
  });
});
