/** POST /staff/customers/{id}/merge (Decisions 11, Staff). */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/customers.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { liveTokenOfCard } from '../../loyalty/app/card-token.ts';
import { firstWord } from '../../kernel/names.ts';
import { maskPhone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import { contactKept, pairOf, type Person } from '../domain/identity.ts';
import { livingAs, lockPeople } from '../store/identity.ts';
import { combine, type By, type Combining } from './combine.ts';

type Reply = ReplyOf<typeof contract.mergeCustomers>;

interface MergeRequest {
  readonly path: PathOf<typeof contract.mergeCustomers>;
  readonly body: BodyOf<typeof contract.mergeCustomers>;
  readonly actor: Actor;
}

const replyOf = ({ id, name, phone, card }: Person): Reply => ({
  customer_id: id,
  card_id: card?.id ?? null,
  first_name: firstWord(name),
  phone_hint: maskPhone(phone),
  points: card?.points ?? 0,
  visits: card?.visits ?? 0,
});

/** As the person is after the combination. */
const reread = async (app: App, orgId: Uuid, id: Uuid): Promise<Reply> => {
  const [person] = await app.db.tx((tx) => lockPeople(tx, orgId, { ids: [id], phone: null }));
  if (person === undefined) throw new Refusal('NOT_FOUND');
  return replyOf(person);
};

interface NamedPair {
  readonly namedId: Uuid;
  readonly otherId: Uuid;
  readonly by: By;
}

/** The customer that both are now; null: one of them was combined with another meanwhile. */
export const combineCustomers = async (
  tx: Kysely<Database>,
  app: Combining,
  log: ChangeLog,
  { namedId, otherId, by }: NamedPair,
): Promise<Uuid | null> => {
  const people = await lockPeople(tx, by.orgId, { ids: [namedId, otherId], phone: null });
  const [named, other] = [namedId, otherId].map((id) => people.find((person) => person.id === id));
  if (named === undefined || other === undefined) return null;
  const pair = pairOf(named, other);
  await combine(tx, app, log, { pair, contact: contactKept(named, other), by });
  const { id, card } = pair.survivor;
  if (card !== null)
    await liveTokenOfCard(tx, app, log, { orgId: by.orgId, cardId: card.id }, app.clock.now());
  return id;
};

const MAX_ATTEMPTS = 3;

/** The 24 hours after a combination do not bind the staff: a guest may have three cards. */
export const mergeCustomers =
  (app: App) =>
  async ({ path, body, actor }: MergeRequest): Promise<Reply> => {
    const [namedId, otherId] = [path.id, body.customer_id.toLowerCase()];
    const { orgId, staffId, deviceId } = actor;
    for (let tried = 1; tried <= MAX_ATTEMPTS; tried += 1) {
      const living = await livingAs(app.db.kysely, orgId, [namedId, otherId]);
      const [named, other] = [living.get(namedId), living.get(otherId)];
      if (named === undefined || other === undefined) throw new Refusal('NOT_FOUND');
      if (namedId === otherId) throw new Refusal('NOTHING_TO_COMBINE');
      if (named === other) return reread(app, orgId, named);
      const pair = { namedId: named, otherId: other, by: { orgId, staffId, deviceId } };
      const survivorId = await commitAndPublish(app, (tx, log) => combineCustomers(tx, app, log, pair));
      if (survivorId !== null) return reread(app, orgId, survivorId);
    }
    // Both were found, and one was combined or erased meanwhile, each time.
    throw new Refusal('NOT_FOUND');
  };
