/**
 * Deliberate faults of a merge, which the simulator must find. Each is put where the network, the client or the database
 * passes by: no code of the service knows of them.
 */
import { isoInstant } from '../../../../src/kernel/time.ts';
import type { Db } from '../../../../src/platform/store/db.ts';
import type { Database } from '../../../../src/platform/store/schema.ts';
import { newId } from '../../database/ids.ts';
import { BEGIN } from './place.ts';
import { NO_FAULT, type Body, type Seams } from './seams.ts';

export interface DeliberateFault {
  /** In words that complete "A merge is found out in which …". */
  readonly name: string;
  /** The check that must fail. */
  readonly check: string;
  /** The first seed that found it, when it was written. */
  readonly first: number;
  readonly seams: Seams;
  /** A trigger of the database. Null: none. */
  readonly trigger: Trigger | null;
}

interface Trigger {
  readonly install: string;
  readonly remove: string;
}

type About = Pick<DeliberateFault, 'name' | 'check'> & Partial<Pick<DeliberateFault, 'first'>>;

const onTheWay = (about: About, seams: Partial<Seams>): DeliberateFault => ({
  ...{ first: 1, ...about, seams: { ...NO_FAULT, ...seams }, trigger: null },
});

/** `when`: such as `before insert on sale`. */
const inDatabase = (about: About, when: string, body: string): DeliberateFault => ({
  ...{ first: 1, ...about, seams: NO_FAULT },
  trigger: {
    install: `
      create or replace function deliberate_fault() returns trigger language plpgsql security definer as
        $fault$ begin ${body} end $fault$;
      create trigger deliberate_fault ${when} for each row execute function deliberate_fault()`,
    remove: 'drop function deliberate_fault() cascade',
  },
});

const REPLAY = '/sync/replay';
const PULL = '/sync/pull';

type Rows = readonly Readonly<Record<string, unknown>>[];
const rowsIn = (body: Body, field: string): Rows => (Array.isArray(body[field]) ? (body[field] as Rows) : []);

class Lost extends Error {
  override readonly name = 'Lost';
}

/** Every third transaction of a replay is answered and then rolled back. */
const losingCommits = (): Partial<Seams> => {
  let isReplay = false;
  let count = 0;
  const rolledBack = async <T>(db: Db<Database>, work: Parameters<Db<Database>['tx']>[0]): Promise<T> => {
    const done: unknown[] = [];
    try {
      await db.tx(async (tx) => {
        done.push(await work(tx));
        throw new Lost();
      });
    } catch (fault) {
      if (!(fault instanceof Lost)) throw fault;
    }
    return done.at(-1) as T;
  };
  return {
    request: (path, body) => {
      isReplay = path === REPLAY;
      return body;
    },
    answer: (_, body) => {
      isReplay = false;
      return body;
    },
    throughDb: (db) => ({
      ...db,
      tx: (work) => (isReplay && (count += 1) % 3 === 0 ? rolledBack(db, work) : db.tx(work)),
    }),
  };
};

/** Every second answer with changes is without its last one. */
const skippingChange = (): Partial<Seams> => {
  let count = 0;
  return {
    answer: (path, body) => {
      const changes = rowsIn(body, 'changes');
      if (path !== PULL || body['full'] === true || changes.length === 0) return body;
      return (count += 1) % 2 === 0 ? body : { ...body, changes: changes.slice(0, -1) };
    },
  };
};

const withEvents = (path: string, body: Body, change: (event: Rows[number]) => object): Body =>
  path === REPLAY ? { ...body, events: rowsIn(body, 'events').map(change) } : body;

/** The price that the menu has when the sale arrives counts. */
const withoutPrices = (path: string, body: Body): Body =>
  withEvents(path, body, (event) => {
    const data = event['data'] as Body;
    const items = rowsIn(data, 'items').map((item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'unit_price')),
    );
    return { ...event, data: items.length === 0 ? data : { ...data, items } };
  });

export const DELIBERATE_FAULTS: readonly DeliberateFault[] = [
  onTheWay(
    { name: 'the server answers, and then loses the transaction', check: 'every event once' },
    losingCommits(),
  ),
  onTheWay(
    { name: 'a device forgets an event when it sends it', check: 'every event once' },
    { isForgottenOnSend: true },
  ),
  onTheWay(
    { name: 'a device gives an event that it sends again a new id', check: 'every event once', first: 2 },
    {
      request: (path, body, isRepeated) =>
        isRepeated ? withEvents(path, body, (event) => ({ ...event, id: newId() })) : body,
    },
  ),
  onTheWay(
    {
      name: 'a device applies rows while its own events wait',
      check: 'own work stays on the screen',
      first: 149,
    },
    {
      isWithoutGate: true,
    },
  ),
  onTheWay({ name: 'a pull skips a change', check: 'copies are equal to a fresh one' }, skippingChange()),
  onTheWay(
    { name: 'a pull tells of a number below what was seen', check: 'nothing below what was seen' },
    {
      answer: (path, body) => {
        if (path !== PULL || body['full'] === true) return body;
        return {
          ...body,
          changes: rowsIn(body, 'changes').map((change) => ({
            ...change,
            seq: Number(change['seq']) - 1_000,
          })),
        };
      },
    },
  ),
  onTheWay(
    { name: 'the clock of a device is not corrected', check: 'every sale once, at its price', first: 4 },
    {
      request: (path, body) => (path === REPLAY ? { ...body, device_time: isoInstant(BEGIN) } : body),
    },
  ),
  onTheWay(
    { name: 'a sale gets the price of today', check: 'every sale once, at its price', first: 27 },
    { request: withoutPrices },
  ),
  inDatabase(
    { name: 'an event that comes again counts again', check: 'every event once' },
    'after insert on replay_event',
    'delete from replay_event where org_id = new.org_id and id = new.id; return null;',
  ),
  inDatabase(
    { name: 'an event that waits is taken for recorded', check: 'every line once', first: 12 },
    'before insert on replay_event',
    "if new.outcome = 'waiting' then new.outcome := 'applied'; new.waits_for := null; new.data := null; end if; return new;",
  ),
  inDatabase(
    { name: 'a line of a sale is dropped', check: 'every sale once, at its price', first: 7 },
    'before insert on sale',
    "new.cart := jsonb_set(new.cart, '{lines}', (new.cart -> 'lines') - 1); return new;",
  ),
  inDatabase(
    { name: 'the total follows from the lines', check: 'every sale once, at its price', first: 17 },
    'before insert on sale',
    'new.total := new.total - new.recorded_difference; new.recorded_difference := 0; return new;',
  ),
  inDatabase(
    { name: 'the second payment of a ticket is lost', check: 'every payment once', first: 24 },
    'before insert on sale_payment',
    'if new.beyond > 0 then return null; end if; return new;',
  ),
  inDatabase(
    { name: 'a sale of a closed till is not late', check: 'tills add up', first: 15 },
    'before insert on sale',
    'new.late := false; return new;',
  ),
  inDatabase(
    { name: 'a refund comes out of no till', check: 'tills add up', first: 7 },
    'before insert on sale_refund',
    'new.till_id := null; new.late := false; return new;',
  ),
  inDatabase(
    { name: 'a card counts twice', check: 'points as if online' },
    'after insert on loyalty_entry',
    'update loyalty_card set points = points + new.amount where org_id = new.org_id and id = new.card_id; return null;',
  ),
  inDatabase(
    { name: 'a reward costs nothing', check: 'points as if online', first: 8 },
    'before insert on loyalty_entry',
    "if new.kind = 'redeem' then return null; end if; return new;",
  ),
  inDatabase(
    { name: 'every till has a voucher to itself', check: 'vouchers are watched', first: 87 },
    'before insert on loyalty_voucher_use',
    'new.cost := 1; return new;',
  ),
  inDatabase(
    { name: 'the money of a bill is lost when it is merged', check: 'every payment once', first: 3 },
    'before insert on part_payment',
    'return null;',
  ),
  inDatabase(
    { name: 'units that were sold stay in stock', check: 'stock is what is left' },
    'before update on availability',
    'if new.stock < old.stock then new.stock := old.stock; end if; return new;',
  ),
  inDatabase(
    { name: 'units that came back are not in stock', check: 'stock is what is left', first: 7 },
    'before update on availability',
    'if new.stock > old.stock then new.stock := old.stock; end if; return new;',
  ),
  inDatabase(
    { name: 'units that were voided are void twice', check: 'every line once', first: 19 },
    'after update on ticket_item',
    `if new.voided_at is not null and old.voided_at is null then
       update ticket_item set voided_at = new.voided_at, void_reason = new.void_reason, voided_by = new.voided_by
       where org_id = new.org_id and ticket_id = new.ticket_id and voided_at is null;
     end if; return null;`,
  ),
  inDatabase(
    {
      name: 'a line that comes after its bill was paid has a bill of its own',
      check: 'every bill has its lines',
      first: 24,
    },
    'before update on ticket',
    "new.paid := new.paid - 'recorded'; return new;",
  ),
  inDatabase(
    { name: 'a sale keeps the lines that it was made with', check: 'every bill has its lines', first: 24 },
    'before update on sale',
    'new.cart := old.cart; return new;',
  ),
  inDatabase(
    { name: 'the other bills of a table are void with one of them', check: 'every line once', first: 268 },
    'after update on ticket',
    `if new.status = 'voided' and old.status = 'open' and new.merged_into is null then
       update ticket_item i set voided_at = new.voided_at, void_reason = 'quality', voided_by = t.opened_by
       from ticket t where t.org_id = new.org_id and t.check_id = new.check_id and t.status = 'open'
         and i.org_id = t.org_id and i.ticket_id = t.id and i.voided_at is null;
     end if; return null;`,
  ),
  inDatabase(
    {
      ...{ name: 'a reward that a card could not pay for is on its voucher', check: 'vouchers are watched' },
      first: 190,
    },
    'before insert on replay_event',
    `if new.reasons @> '[{"code": "balance_too_small"}]' then
       new.reasons := new.reasons || '[{"code": "voucher_overspent", "figures": {}}]';
     end if; return new;`,
  ),
  inDatabase(
    { name: 'nobody hears that a card lacked points', check: 'points as if online', first: 190 },
    'before insert on replay_event',
    `new.reasons := (select coalesce(jsonb_agg(r), '[]') from jsonb_array_elements(new.reasons) r
                     where r ->> 'code' <> 'balance_too_small'); return new;`,
  ),
  inDatabase(
    { name: 'the tax of a sale is on top of it', check: 'every sale once, at its price' },
    'before insert on sale',
    'new.tax_amount := round(new.total * new.tax_rate); return new;',
  ),
];
