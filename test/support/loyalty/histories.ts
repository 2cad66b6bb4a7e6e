/** Random histories of a card, and a slow model of its ledger, from the text of the rules (Decisions 11). */
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { claimRewards, giveBackRewards } from '../../../src/loyalty/app/shared.ts';
import { post } from '../../../src/loyalty/app/ledger.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { insert } from '../database/rows.ts';
import { newId } from '../database/ids.ts';

const SALES = 4;

type Step =
  | { readonly kind: 'earn'; readonly sale: number; readonly amount: number; readonly cap: number | null }
  | { readonly kind: 'redeem'; readonly sale: number; readonly cost: number }
  | { readonly kind: 'void'; readonly sale: number }
  | { readonly kind: 'refund'; readonly sale: number; readonly refund: number; readonly amount: number }
  | { readonly kind: 'adjust'; readonly amount: number };

/** A step, sent as often as a till that gets no answer sends it. */
export interface HistoryStep {
  readonly step: Step;
  readonly times: number;
}

const sale = fc.nat(SALES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('earn' as const), sale, amount: fc.integer({ min: 1, max: 40 }) },
    cap: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('redeem' as const), sale, cost: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('void' as const), sale }),
  fc.record({
    ...{ kind: fc.constant('refund' as const), sale, refund: fc.nat(1) },
    amount: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ kind: fc.constant('adjust' as const), amount: fc.integer({ min: -30, max: 30 }) }),
);

export const history: fc.Arbitrary<readonly HistoryStep[]> = fc.array(
  fc.record({ step, times: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 1, maxLength: 14 },
);

// ── The model ───────────────────────────────────────────────────────────────────────────────────

/** What the card should have after the history: the amounts of its entries, in order. */
export const expectedAmounts = (steps: readonly HistoryStep[]): readonly number[] => {
  const amounts: number[] = [];
  const seen = new Set<string>();
  const spent = new Map<number, number>();
  const balance = (): number => amounts.reduce((sum, amount) => sum + amount, 0);
  const once = (key: string, amount: number): void => {
    if (seen.has(key)) return;
    seen.add(key);
    amounts.push(amount);
  };
  const take = (one: Step): void => {
    switch (one.kind) {
      case 'earn': {
        const room = one.cap === null ? one.amount : Math.max(0, one.cap - balance());
        once(`${one.sale} earn`, Math.min(one.amount, room));
        return;
      }
      case 'redeem':
        if (seen.has(`${one.sale} redeem`) || balance() < one.cost) return;
        spent.set(one.sale, one.cost);
        once(`${one.sale} redeem`, -one.cost);
        return;
      case 'void': {
        const cost = spent.get(one.sale);
        if (cost !== undefined) once(`${one.sale} void`, cost);
        return;
      }
      case 'refund':
        once(`${one.sale} refund ${one.refund}`, -Math.min(one.amount, balance()));
        return;
      case 'adjust':
        if (balance() + one.amount >= 0) amounts.push(one.amount);
    }
  };
  // An adjustment is a request of its own each time.
  for (const { step: one, times } of steps) for (let n = 0; n < times; n++) take(one);
  return amounts;
};

// ── The ledger ──────────────────────────────────────────────────────────────────────────────────

const NOON = Date.parse('2026-11-24T10:00:00Z');
const LOG = { add: () => undefined };
const APP = { random: { uuid: newId } };

interface Sales {
  readonly orgId: string;
  readonly cardId: string;
  readonly sales: readonly string[];
  readonly refunds: readonly string[];
}

const perform = async (
  db: Kysely<Database>,
  { orgId, cardId, sales, refunds }: Sales,
  one: Step,
): Promise<unknown> => {
  const saleId = ('sale' in one ? sales[one.sale] : undefined) ?? '';
  const entry = { orgId, cardId, mode: 'points' } as const;
  switch (one.kind) {
    case 'earn':
      return post(
        db,
        APP as never,
        LOG,
        { ...entry, saleId, reason: 'earned', wanted: one.amount, cap: one.cap },
        NOON,
      );
    case 'redeem':
      return claimRewards(db, APP as never, LOG, { ...entry, saleId, cost: one.cost, rewards: [] }, NOON);
    case 'void':
      return giveBackRewards(db, APP as never, LOG, { orgId, saleId }, NOON);
    case 'refund': {
      const of = { saleId, refundId: refunds[one.refund] ?? '', reverses: 'earn' } as const;
      return post(db, APP as never, LOG, { ...entry, ...of, reason: 'refunded', wanted: -one.amount }, NOON);
    }
    case 'adjust':
      return post(db, APP as never, LOG, { ...entry, reason: 'adjusted', wanted: one.amount }, NOON);
  }
};

/** A card of its own for each history. */
const aCardOf = async (db: Kysely<Database>, orgId: string): Promise<Sales> => {
  const [customerId, cardId] = [newId(), newId()];
  const moments = { created_at: new Date(NOON), updated_at: new Date(NOON) };
  await insert(db, 'customer', { org_id: orgId, id: customerId, name: 'منى', ...moments });
  await insert(db, 'loyalty_card', {
    ...{ org_id: orgId, id: cardId, customer_id: customerId, token_hash: Buffer.from(cardId) },
    ...{ created_at: new Date(NOON), changed_at: new Date(NOON) },
  });
  const ids = (count: number) => Array.from({ length: count }, newId);
  return { orgId, cardId, sales: ids(SALES), refunds: ids(2) };
};

/** How the ledger differs from the model; empty: not at all. */
export const ledgerDifferences = async (
  db: Kysely<Database>,
  orgId: string,
  steps: readonly HistoryStep[],
): Promise<readonly string[]> => {
  const card = await aCardOf(db, orgId);
  for (const { step: one, times } of steps) for (let n = 0; n < times; n++) await perform(db, card, one);
  const { rows } = await sql<{ amounts: number[]; points: number; revision: number }>`
    select array(select amount from loyalty_entry e where e.card_id = l.id order by position) as amounts, points,
           revision::int as revision
    from loyalty_card l where l.id = ${card.cardId}
  `.execute(db);
  const [row] = rows;
  const expected = expectedAmounts(steps);
  const sum = expected.reduce((all, amount) => all + amount, 0);
  const stored =
    row === undefined ? '' : `${row.amounts.join(' ')} = ${row.points}, revision ${row.revision}`;
  const wanted = `${expected.join(' ')} = ${sum}, revision ${expected.length + 1}`;
  return stored === wanted ? [] : [`the ledger has ${stored}; the model ${wanted}`];
};
