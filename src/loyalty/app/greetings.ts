/** Greets members on their birthday and after a long absence (Decisions 11). */
import type { Kysely } from 'kysely';
import { nameIn } from '../../kernel/names.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { localDateOf, type Instant, type ZoneId } from '../../kernel/time.ts';
import { addToOutbox } from '../../messaging/app/shared.ts';
import { messageRow, obsolete, type Obsolete } from '../../messaging/domain/outbox.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, demandOpen, type ChangeLog } from '../../platform/app/commit.ts';
import { forEachDue, type Sweep } from '../../platform/app/sweep.ts';
import type { Database } from '../../platform/store/schema.ts';
import { brandOf } from '../../shops/app/shared.ts';
import type { Brand } from '../../shops/domain/shop.ts';
import {
  dueGreeting,
  greetingDate,
  greetingDayOf,
  greetingRulesOf,
  type DueGreeting,
  type GreetingDay,
} from '../domain/greeting.ts';
import { greetingMessage, obsoleteReason, parametersFor, type Greeting } from '../domain/greeting-message.ts';
import type { Programme } from '../domain/programme.ts';
import {
  dueMembers,
  endAbsence,
  greetingShops,
  lockMember,
  memberOfCard,
  recordGreeting,
  zoneOfShop,
  type GreetingShop,
  type MemberToGreet,
} from '../store/greeting.ts';
import { programmeOfShop } from '../store/programme.ts';
import type { Announcing } from './announce.ts';
import { post } from './ledger.ts';

type Log = Pick<ChangeLog, 'add'>;

interface NewGreeting {
  readonly orgId: Uuid;
  readonly member: MemberToGreet;
  readonly programme: Programme;
  readonly day: GreetingDay;
  readonly due: DueGreeting;
}

/** The amount that is on the card now; the cap may trim it. */
const giveGift = async (
  tx: Kysely<Database>,
  app: Announcing,
  { orgId, member, programme, due: { kind } }: NewGreeting,
  log: Log,
  now: Instant,
): Promise<number> => {
  const { amount } = kind === 'birthday' ? programme.birthday : programme.winBack;
  if (amount === null) return 0;
  const entry = { orgId, cardId: member.cardId, mode: programme.mode, reason: kind };
  const posted = await post(tx, app, log, { ...entry, wanted: amount, cap: programme.balanceCap }, now);
  return posted?.amount ?? 0;
};

interface Greeted extends NewGreeting {
  /** As posted; 0: none. */
  readonly gift: number;
}

interface MemberOfShop {
  readonly orgId: Uuid;
  readonly zone: ZoneId;
  readonly customerId: Uuid;
}

/**
 * Decides with the member locked, records the greeting, then gives the gift: of several sweepers one records it. Null:
 * no message is to be sent.
 */
export const greetMember = async (
  tx: Kysely<Database>,
  app: Announcing,
  { orgId, zone, customerId }: MemberOfShop,
  log: Log,
  now: Instant,
): Promise<Greeted | null> => {
  const date = greetingDate(zone, now);
  const programme = await programmeOfShop(tx, orgId);
  const member = await lockMember(tx, orgId, customerId);
  if (date === null || programme === null || member === null) return null;
  const day = greetingDayOf(greetingRulesOf(programme), zone, date);
  const due = dueGreeting(member, day);
  if (due === null) return null;
  const { kind, occasion } = due;
  if (due.kind === 'win_back') {
    await endAbsence(tx, orgId, member.cardId);
    if (!due.isGreeted) return null;
  }
  if (!(await recordGreeting(tx, { orgId, customerId, kind, occasion }, now))) return null;
  const greeting = { orgId, member, programme, day, due };
  return { ...greeting, gift: await giveGift(tx, app, greeting, log, now) };
};

/** A greeting that waits for a budget holds up no other message about the card. */
const addGreetingMessage = async (
  tx: Kysely<Database>,
  { random }: Pick<App, 'random'>,
  { orgId, member, programme, day, due: { kind }, gift }: Greeted,
  brand: Brand,
  now: Instant,
): Promise<void> => {
  const { cardId, language } = member;
  const message = greetingMessage({
    ...{ kind, date: day.date, language, shopName: nameIn(language, brand), mode: programme.mode, gift },
    words: (kind === 'birthday' ? programme.birthday : programme.winBack).message,
  });
  const about = { orgId, id: random.uuid(), subject: 'card', subjectId: cardId } as const;
  await addToOutbox(tx, [{ ...messageRow(about, message), orderingKey: `greeting:${cardId}` }], now);
};

const greet = (app: App, { id: orgId, zone }: GreetingShop, customerId: Uuid): Promise<void> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const brand = await brandOf(tx, orgId);
    if (brand === null) return;
    await demandOpen(tx, orgId);
    const greeted = await greetMember(tx, app, { orgId, zone, customerId }, log, now);
    if (greeted !== null) await addGreetingMessage(tx, app, greeted, brand, now);
  });

const greetMembersOf = async (app: App, shop: GreetingShop, isStopped: () => boolean): Promise<void> => {
  const date = greetingDate(shop.zone, app.clock.now());
  if (date === null) return;
  const day = greetingDayOf(shop, shop.zone, date);
  await forEachDue({
    find: ({ db }, look) => dueMembers(db.kysely, shop.id, day, look),
    handle: (_, { id }) => greet(app, shop, id),
  })(app, isStopped);
};

/** Nobody is greeted while no message can be sent. */
export const greetMembers: Sweep['run'] = async (app, isStopped) => {
  if (!app.messenger.isReady) return;
  await forEachDue({
    find: ({ db }, look) => greetingShops(db.kysely, look),
    handle: (_, shop: GreetingShop) => greetMembersOf(app, shop, isStopped),
  })(app, isStopped);
};

/** The parameters of a greeting with the name of its member, while it is true. */
export const parametersOfGreeting = async (
  app: Pick<App, 'db' | 'clock'>,
  { orgId, cardId, greeting }: { readonly orgId: Uuid; readonly cardId: Uuid; readonly greeting: Greeting },
): Promise<readonly string[] | Obsolete> => {
  const db = app.db.kysely;
  const member = await memberOfCard(db, orgId, cardId);
  const programme = await programmeOfShop(db, orgId);
  const zone = await zoneOfShop(db, orgId);
  if (member === null || programme === null || zone === null)
    return obsolete('the shop greets its members no more, or the card was combined with another');
  const reason = obsoleteReason(greeting, programme, member, localDateOf(zone, app.clock.now()));
  return reason === null ? parametersFor(greeting, member.name) : obsolete(reason);
};
