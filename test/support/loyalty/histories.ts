/** Random histories of two cards, and a slow model of their ledger, from the text of the rules (Decisions 11). */
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { systemRandom } from '../../../src/adapters/system.ts';
import { claimRewards, giveBackRewards } from '../../../src/loyalty/app/shared.ts';
import { post } from '../../../src/loyalty/app/ledger.ts';
import { combineCustomers } from '../../../src/people/app/merge-customers.ts';
import { createTokens } from '../../../src/platform/app/tokens.ts';
import type { Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { insert } from '../database/rows.ts';
import { newId } from '../database/ids.ts';
import { aGuest } from '../people/guests.ts';

const SALES = 4;
/** The older card, which survives a combination with the other. */
const OLDER = 0;
const YOUNGER = 1;

/** Sales are of the card: the first sale of one is not the first of the other. */
type Step =
  | {
      readonly kind: 'earn';
      readonly card: number;
      readonly sale: number;
      readonly amount: number;
      readonly cap: number | null;
    }
  | { readonly kind: 'redeem'; readonly card: number; readonly sale: number; readonly cost: number }
  | { readonly kind: 'void'; readonly card: number; readonly sale: number }
  | {
      readonly kind: 'refund';
      readonly card: number;
      readonly sale: number;
      readonly refund: number;
      readonly amount: number;
    }
  | { readonly kind: 'adjust'; readonly card: number; readonly amount: number }
  | { readonly kind: 'merge' };

/** A step, sent as often as a till that gets no answer sends it, and perhaps once more at the end. */
export interface HistoryStep {
  readonly step: Step;
  readonly times: number;
  readonly comesAgain: boolean;
}

const card = fc.constantFrom(OLDER, YOUNGER);
const sale = fc.nat(SALES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('earn' as const), card, sale, amount: fc.integer({ min: 1, max: 40 }) },
    cap: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('redeem' as const), card, sale, cost: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('void' as const), card, sale }),
  fc.record({
    ...{ kind: fc.constant('refund' as const), card, sale, refund: fc.nat(1) },
    amount: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ kind: fc.constant('adjust' as const), card, amount: fc.integer({ min: -30, max: 30 }) }),
  fc.constant({ kind: 'merge' as const }),
);

export const history: fc.Arbitrary<readonly HistoryStep[]> = fc.array(
  fc.record({ step, times: fc.integer({ min: 1, max: 3 }), comesAgain: fc.boolean() }),
  { minLength: 1, maxLength: 14 },
);

/** In the order in which the requests come. */
const requestsOf = (steps: readonly HistoryStep[]): readonly Step[] => [
  ...steps.flatMap(({ step: one, times }) => Array.from({ length: times }, () => one)),
  ...steps.filter(({ comesAgain }) => comesAgain).map(({ step: one }) => one),
];

// ── The model ───────────────────────────────────────────────────────────────────────────────────

/** What the older and the younger card should have after the history: the amounts of their entries, in order. */
export const expectedAmounts = (
  steps: readonly HistoryStep[],
): readonly [older: readonly number[], younger: readonly number[]] => {
  const amounts: [number[], number[]] = [[], []];
  const seen = new Set<string>();
  const spent = new Map<string, number>();
  let isMerged = false;
  const entriesOf = (index: number): number[] => (isMerged || index === OLDER ? amounts[0] : amounts[1]);
  const balanceOf = (index: number): number => entriesOf(index).reduce((sum, amount) => sum + amount, 0);
  const once = (key: string, index: number, amount: number): void => {
    if (seen.has(key)) return;
    seen.add(key);
    entriesOf(index).push(amount);
  };
  const merge = (): void => {
    const moved = isMerged ? 0 : balanceOf(YOUNGER);
    if (moved > 0) {
      amounts[1].push(-moved);
      amounts[0].push(moved);
    }
    isMerged = true;
  };
  const take = (one: Step): void => {
    if (one.kind === 'merge') {
      merge();
      return;
    }
    const balance = balanceOf(one.card);
    const key = 'sale' in one ? `${one.card} ${one.sale}` : '';
    switch (one.kind) {
      case 'earn': {
        const room = one.cap === null ? one.amount : Math.max(0, one.cap - balance);
        once(`${key} earn`, one.card, Math.min(one.amount, room));
        return;
      }
      case 'redeem':
        if (seen.has(`${key} redeem`) || balance < one.cost) return;
        spent.set(key, one.cost);
        once(`${key} redeem`, one.card, -one.cost);
        return;
      case 'void': {
        const cost = spent.get(key);
        if (cost !== undefined) once(`${key} void`, one.card, cost);
        return;
      }
      case 'refund':
        once(`${key} refund ${one.refund}`, one.card, -Math.min(one.amount, balance));
        return;
      case 'adjust':
        // A request of its own each time.
        if (balance + one.amount >= 0) entriesOf(one.card).push(one.amount);
    }
  };
  for (const one of requestsOf(steps)) take(one);
  return amounts;
};

// ── The ledger ──────────────────────────────────────────────────────────────────────────────────

export const NOON = Date.parse('2026-11-24T10:00:00Z');
const LOG = { add: () => undefined };
const APP = {
  random: { ...systemRandom, uuid: newId },
  ...{ clock: { now: () => NOON }, walletOne: null, walletTwo: null },
  tokens: createTokens(['a key of histories'], systemRandom),
};

interface CardOfHistory {
  readonly customerId: string;
  readonly cardId: string;
  readonly sales: readonly string[];
  readonly refunds: readonly string[];
}

type Cards = readonly [older: CardOfHistory, younger: CardOfHistory];

const perform = async (db: Kysely<Database>, orgId: string, cards: Cards, one: Step): Promise<unknown> => {
  const app = APP as never;
  if (one.kind === 'merge') {
    const [{ customerId: namedId }, { customerId: otherId }] = cards;
    return combineCustomers(db, app, LOG as never, { namedId, otherId, by: { orgId } });
  }
  const { cardId, sales, refunds } = cards[one.card === OLDER ? 0 : 1];
  const saleId = ('sale' in one ? sales[one.sale] : undefined) ?? '';
  const entry = { orgId, cardId, mode: 'points' } as const;
  switch (one.kind) {
    case 'earn': {
      const earned = { ...entry, saleId, reason: 'earned', wanted: one.amount, cap: one.cap } as const;
      return post(db, app, LOG, earned, NOON);
    }
    case 'redeem':
      return claimRewards(db, app, LOG, { ...entry, saleId, cost: one.cost, rewards: [] }, NOON);
    case 'void':
      return giveBackRewards(db, app, LOG, { orgId, saleId }, NOON);
    case 'refund': {
      const of = { saleId, refundId: refunds[one.refund] ?? '', reverses: 'earn' } as const;
      return post(db, app, LOG, { ...entry, ...of, reason: 'refunded', wanted: -one.amount }, NOON);
    }
    case 'adjust':
      return post(db, app, LOG, { ...entry, reason: 'adjusted', wanted: one.amount }, NOON);
  }
};

/** Without points. */
export const aCard = async (db: Kysely<Database>, orgId: string, at: number): Promise<CardOfHistory> => {
  const [customerId, cardId] = [newId(), newId()];
  const moments = { created_at: new Date(at), updated_at: new Date(at) };
  await insert(db, 'customer', {
    ...{ org_id: orgId, id: customerId, name: 'منى', phone: aGuest().phone, phone_proven_at: new Date(at) },
    ...moments,
  });
  await insert(db, 'loyalty_card', {
    ...{ org_id: orgId, id: cardId, customer_id: customerId, token_hash: Buffer.from(cardId) },
    ...{ created_at: new Date(at), changed_at: new Date(at) },
  });
  const ids = (count: number) => Array.from({ length: count }, newId);
  return { customerId, cardId, sales: ids(SALES), refunds: ids(2) };
};

interface StoredCard {
  readonly amounts: readonly number[];
  readonly points: number;
  readonly revision: number;
}

const storedCards = async (db: Kysely<Database>, cards: Cards): Promise<readonly StoredCard[]> => {
  const { rows } = await sql<StoredCard>`
    select array(select amount from loyalty_entry e where e.org_id = l.org_id and e.card_id = l.id order by position) as amounts, points,
           revision::int as revision
    from loyalty_card l where l.id = any(${cards.map(({ cardId }) => cardId)}::uuid[]) order by created_at
  `.execute(db);
  return rows;
};

/** The cards that have another entry, and the revision of before. */
const unraised = (before: readonly StoredCard[], after: readonly StoredCard[]): readonly number[] =>
  after.flatMap(({ amounts, revision }, index) => {
    const was = before[index];
    return was !== undefined && amounts.length > was.amounts.length && revision <= was.revision
      ? [index]
      : [];
  });

/** How the ledger of two cards, its own for each history, differs from the model; empty: not at all. */
export const ledgerDifferences = async (
  db: Db<Database>,
  orgId: string,
  steps: readonly HistoryStep[],
): Promise<readonly string[]> => {
  const cards: Cards = [await aCard(db.kysely, orgId, NOON - 1_000), await aCard(db.kysely, orgId, NOON)];
  const differences: string[] = [];
  let stored = await storedCards(db.kysely, cards);
  for (const one of requestsOf(steps)) {
    await db.tx((tx) => perform(tx, orgId, cards, one));
    const after = await storedCards(db.kysely, cards);
    for (const index of unraised(stored, after))
      differences.push(`a step "${one.kind}" did not raise the revision of card ${index}`);
    stored = after;
  }
  const texts = stored.map(({ amounts, points }) => `${amounts.join(' ')} = ${points}`);
  for (const [index, amounts] of expectedAmounts(steps).entries()) {
    const model = `${amounts.join(' ')} = ${amounts.reduce((all, amount) => all + amount, 0)}`;
    if (texts[index] !== model) differences.push(`card ${index} has ${texts[index]}; the model ${model}`);
  }
  return differences;
};
