/** Greetings of the demo shops: each on its day, and none promises what the cap may refuse. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { addDays, localDateOf, type Instant } from '../../src/kernel/time.ts';
import { greetMembers } from '../../src/loyalty/app/greetings.ts';
import { programmeOfShop } from '../../src/loyalty/app/shared.ts';
import { greetingTime } from '../../src/loyalty/domain/greeting.ts';
import { shopId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import type { World } from '../support/server/world.ts';

const ZONE = 'Africa/Cairo';
const SLUGS = ['beit-el-bunn', 'zawya'] as const;

let world: World;
afterEach(() => world.close());

const entriesOf = async (source: string) =>
  world.db.kysely.selectFrom('loyalty_entry').selectAll().where('source', '=', source).execute();
const cards = () => world.db.kysely.selectFrom('loyalty_card').selectAll().execute();

/** By the text of the rule: after so many days without a visit, at the hour of greetings. */
const absencesGreeted = async (days: number, orgId: string): Promise<readonly string[]> => {
  const orders = await world.db.kysely.selectFrom('delivery_order').selectAll().execute();
  return (await cards())
    .filter(({ org_id }) => org_id === orgId)
    .flatMap(({ id, created_at: joined, merged_at: merged }) => {
      const sold = orders
        .filter(({ card_id }) => card_id === id)
        .flatMap(({ delivered_at }) => delivered_at ?? []);
      const visits = [joined, ...sold].sort((a, b) => a - b);
      return visits.flatMap((visit, index) => {
        const due = greetingTime(ZONE, addDays(localDateOf(ZONE, visit), days));
        const until: Instant = visits[index + 1] ?? merged ?? world.now;
        return due < until ? [`${id} ${due}`] : [];
      });
    });
};

test.each(['2026-11-20T18:00:00Z', '2026-11-20T22:20:00Z', '2026-06-01T21:40:00Z', '2027-02-01T05:00:00Z'])(
  'at a start at %s every absence and birthday has been greeted, and nobody is due',
  async (now) => {
    ({ world } = await makeDemo({ now }));
    const programme = await programmeOfShop(world.db.kysely, shopId('beit-el-bunn'));
    const { afterDays = null } = programme?.winBack ?? {};
    const expected = await absencesGreeted(afterDays ?? 0, shopId('beit-el-bunn'));
    const absences = await entriesOf('win_back');
    expect(absences.map(({ card_id, at }) => `${card_id} ${at}`).sort()).toEqual([...expected].sort());
    expect(absences.length).toBeGreaterThan(0);

    const birthdays = await entriesOf('birthday');
    const { rows: members } = await sql<{ cardId: string; birthday: string }>`
      select l.id as "cardId", to_char(c.birth_month, 'FM00') || '-' || to_char(c.birth_day, 'FM00') as birthday
      from loyalty_card l join customer c on c.org_id = l.org_id and c.id = l.customer_id where c.birth_month is not null
    `.execute(world.db.kysely);
    expect(birthdays.map(({ card_id, at }) => [card_id, localDateOf(ZONE, at).slice(5)]).sort()).toEqual(
      members.map(({ cardId, birthday }) => [cardId, birthday]).sort(),
    );
    expect(birthdays.length).toBeGreaterThan(0);

    const greeted = () => world.db.kysely.selectFrom('loyalty_greeting').selectAll().execute();
    const before = await greeted();
    expect(before.length).toBe(absences.length + birthdays.length);
    expect(world.app.messenger.isReady).toBe(true);
    await greetMembers(world.app, () => false);
    expect(await greeted()).toEqual(before);
  },
);

test('the words of a greeting name no figure: the message itself says what was posted', async () => {
  ({ world } = await makeDemo());
  for (const slug of SLUGS) {
    const programme = await programmeOfShop(world.db.kysely, shopId(slug));
    for (const { message } of [programme?.birthday, programme?.winBack].flatMap((one) => one ?? []))
      for (const words of [message.ar, message.en]) expect(words ?? '').not.toMatch(/\p{N}/u);
  }
});
