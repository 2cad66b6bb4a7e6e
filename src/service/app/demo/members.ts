/** Members of the demo shops, with ledgers and past orders that are written once: history stays as it was. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { addDays, localDateOf, resolveStart, type Instant, type ZoneId } from '../../../kernel/time.ts';
import { cardChange, issueCard } from '../../../loyalty/app/card.ts';
import { programmeOfShop, zoneOfShop } from '../../../loyalty/app/shared.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import { at } from '../../../platform/store/db.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { PriceBooks } from '../../../pricing/app/pricebooks.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import { addDemoCustomer, liveCards, type DemoCard } from '../../store/demo-members.ts';
import { birthdayOf, stepsOf, type PastOrder, type Step } from './history.ts';
import { idsOf, type MemberScenario } from './member.ts';
import { idOfKey, saleOfOrder, type OrderScenario } from './orders.ts';
import { replay, type NewMember, type OrderToPlace } from './replay.ts';

// ── Preparation ─────────────────────────────────────────────────────────────────────────────────

export interface PreparedMember extends Omit<NewMember, 'tokenHash'> {
  readonly joinedAt: Instant;
  readonly steps: readonly Step[];
}

const scenarioOf = (member: MemberScenario, past: PastOrder): OrderScenario => {
  const place = past.place === undefined ? undefined : member.addresses?.[past.place];
  return {
    ...past,
    key: `${member.key} ${past.key}`,
    shop: member.shop,
    customer_name: member.name,
    address: place?.address ?? {},
    ...(place?.point === undefined ? {} : { point: place.point }),
    ...(place?.delivery_notes === undefined ? {} : { delivery_notes: place.delivery_notes }),
  };
};

const ordersOf = async (
  books: PriceBooks,
  orgId: Uuid,
  member: MemberScenario,
  branches: readonly Branch[],
): Promise<ReadonlyMap<PastOrder, OrderToPlace>> => {
  const orders = new Map<PastOrder, OrderToPlace>();
  for (const event of member.history) {
    if (!('order' in event)) continue;
    const branch = branches.find(({ id }) => id === idOfKey(orgId, 'branch', event.order.branch));
    const scenario = scenarioOf(member, event.order);
    const sale = branch === undefined ? null : await saleOfOrder(books, branch, scenario);
    if (sale !== null) orders.set(event.order, { scenario, ...sale });
  }
  return orders;
};

const NOON = 12 * 60;

/** At noon of the shop, or now if that is earlier. */
const joinTime = ({ joined_days_ago: ago }: MemberScenario, zone: ZoneId, now: Instant): Instant =>
  Math.min(now, resolveStart(zone, addDays(localDateOf(zone, now), -ago), NOON));

/** Empty without a programme. */
export const prepareMembers = async (
  app: App,
  books: PriceBooks,
  orgId: Uuid,
  members: readonly MemberScenario[],
  branches: readonly Branch[],
): Promise<readonly PreparedMember[]> => {
  const now = app.clock.now();
  const [programme, zone] = [
    await programmeOfShop(app.db.kysely, orgId),
    await zoneOfShop(app.db.kysely, orgId),
  ];
  if (programme === null || zone === null) return [];
  const prepared: PreparedMember[] = [];
  for (const member of members)
    prepared.push({
      ...{ orgId, zone, mode: programme.mode, member },
      orders: await ordersOf(books, orgId, member, branches),
      joinedAt: joinTime(member, zone, now),
      steps: stepsOf(member.history, zone, now),
    });
  return prepared;
};

// ── Writes ──────────────────────────────────────────────────────────────────────────────────────

const customerRow = ({ orgId, member, zone, joinedAt }: PreparedMember, now: Instant) => {
  const birthday = birthdayOf(member.history, zone, now);
  return {
    org_id: orgId,
    id: idsOf(member).customerId,
    phone: member.phone,
    name: member.name,
    language: member.language,
    phone_proven_at: at(joinedAt),
    birth_month: birthday?.month ?? null,
    birth_day: birthday?.day ?? null,
    created_at: at(joinedAt),
    updated_at: at(joinedAt),
  };
};

/** Null: the member exists. */
const addMember = async (
  tx: Kysely<Database>,
  app: App,
  log: ChangeLog,
  prepared: PreparedMember,
): Promise<NewMember | null> => {
  const { orgId, joinedAt } = prepared;
  const { cardId: id, customerId } = idsOf(prepared.member);
  if (!(await addDemoCustomer(tx, customerRow(prepared, app.clock.now())))) return null;
  const card = await issueCard(tx, app, { orgId, customerId, isUnproven: false, id }, joinedAt);
  if (card === null) return null;
  log.add(orgId, cardChange(id));
  return { ...prepared, tokenHash: app.tokens.hashOf(card.memberToken) };
};

/** A member that exists stays as they are. What happened to the others is written in the order of time. */
export const saveMembers = async (
  tx: Kysely<Database>,
  log: ChangeLog,
  app: App,
  members: readonly PreparedMember[],
): Promise<void> => {
  const steps: { readonly member: NewMember; readonly step: Step }[] = [];
  for (const prepared of members) {
    const member = await addMember(tx, app, log, prepared);
    if (member !== null) steps.push(...prepared.steps.map((step) => ({ member, step })));
  }
  for (const { member, step } of steps.toSorted((a, b) => a.step.at - b.step.at))
    await replay(tx, app, log, member, step);
};

// ── Contents ────────────────────────────────────────────────────────────────────────────────────

export interface DemoMember {
  readonly shop: string;
  readonly name: string;
  readonly memberToken: string;
}

/** The first member of each shop with a programme. */
export const membersToShow = async (
  { db, tokens }: Pick<App, 'db' | 'tokens'>,
  members: readonly MemberScenario[],
): Promise<readonly DemoMember[]> => {
  const cards = await liveCards(
    db.kysely,
    members.map((member) => idsOf(member).cardId),
  );
  const tokenOf = ({ cardId, generation, tokenHash }: DemoCard): string | null =>
    tokens.memberTokenOf({ id: cardId, generation }, tokenHash);
  const shown = new Map<string, DemoMember>();
  for (const member of members) {
    const card = cards.get(idsOf(member).cardId);
    const memberToken = card === undefined ? null : tokenOf(card);
    if (memberToken !== null && !shown.has(member.shop))
      shown.set(member.shop, { shop: member.shop, name: member.name, memberToken });
  }
  return [...shown.values()];
};
