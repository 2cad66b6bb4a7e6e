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
  readonly seams: Seams;
  /** A trigger of the database. Null: none. */
  readonly trigger: Trigger | null;
}

interface Trigger {
  readonly install: string;
  readonly remove: string;
}

/** `when`: such as `before insert on sale`. */
const trigger = (when: string, body: string): Trigger => ({
  install: `
    create or replace function deliberate_fault() returns trigger language plpgsql security definer as
      $fault$ begin ${body} end $fault$;
    create trigger deliberate_fault ${when} for each row execute function deliberate_fault()`,
  remove: 'drop function deliberate_fault() cascade',
});

const inDatabase = (name: string, check: string, when: string, body: string): DeliberateFault => ({
  ...{ name, check, seams: NO_FAULT, trigger: trigger(when, body) },
});

const onTheWay = (name: string, check: string, seams: Partial<Seams>): DeliberateFault => ({
  ...{ name, check, seams: { ...NO_FAULT, ...seams }, trigger: null },
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
  onTheWay('the server answers, and then loses the transaction', 'every event once', losingCommits()),
  onTheWay('a device forgets an event when it sends it', 'every event once', { isForgottenOnSend: true }),
  onTheWay('a device gives an event that it sends again a new id', 'every event once', {
    request: (path, body, isRepeated) =>
      isRepeated ? withEvents(path, body, (event) => ({ ...event, id: newId() })) : body,
  }),
  onTheWay('a device applies rows while its own events wait', 'own work stays on the screen', {
    isWithoutGate: true,
  }),
  onTheWay('a pull skips a change', 'copies are equal to a fresh one', skippingChange()),
  onTheWay('a pull tells of a number below what was seen', 'nothing below what was seen', {
    answer: (path, body) => {
      if (path !== PULL || body['full'] === true) return body;
      return {
        ...body,
        changes: rowsIn(body, 'changes').map((change) => ({ ...change, seq: Number(change['seq']) - 1_000 })),
      };
    },
  }),
  onTheWay('the clock of a device is not corrected', 'every sale once, at its price', {
    request: (path, body) => (path === REPLAY ? { ...body, device_time: isoInstant(BEGIN) } : body),
  }),
  onTheWay('a sale gets the price of today', 'every sale once, at its price', { request: withoutPrices }),
  inDatabase(
    ...([
      'an event that comes again counts again',
      'every event once',
      'after insert on replay_event',
    ] as const),
    'delete from replay_event where org_id = new.org_id and id = new.id; return null;',
  ),
  inDatabase(
    ...([
      'an event that waits is taken for recorded',
      'every line once',
      'before insert on replay_event',
    ] as const),
    "if new.outcome = 'waiting' then new.outcome := 'applied'; new.waits_for := null; new.data := null; end if; return new;",
  ),
  inDatabase(
    ...(['a line of a sale is dropped', 'every sale once, at its price', 'before insert on sale'] as const),
    "new.cart := jsonb_set(new.cart, '{lines}', (new.cart -> 'lines') - 1); return new;",
  ),
  inDatabase(
    ...([
      'the total follows from the lines',
      'every sale once, at its price',
      'before insert on sale',
    ] as const),
    'new.total := new.total - new.recorded_difference; new.recorded_difference := 0; return new;',
  ),
  inDatabase(
    ...([
      'the second payment of a ticket is lost',
      'every payment once',
      'before insert on sale_payment',
    ] as const),
    'if new.beyond > 0 then return null; end if; return new;',
  ),
  inDatabase(
    ...(['a sale of a closed till is not late', 'tills add up', 'before insert on sale'] as const),
    'new.late := false; return new;',
  ),
  inDatabase(
    ...(['a refund comes out of no till', 'tills add up', 'before insert on sale_refund'] as const),
    'new.till_id := null; new.late := false; return new;',
  ),
  inDatabase(
    ...(['a card counts twice', 'points as if online', 'after insert on loyalty_entry'] as const),
    'update loyalty_card set points = points + new.amount where org_id = new.org_id and id = new.card_id; return null;',
  ),
  inDatabase(
    ...(['a reward costs nothing', 'points as if online', 'before insert on loyalty_entry'] as const),
    "if new.kind = 'redeem' then return null; end if; return new;",
  ),
  inDatabase(
    ...([
      'every till has a voucher to itself',
      'vouchers are watched',
      'before insert on loyalty_voucher_use',
    ] as const),
    'new.cost := 1; return new;',
  ),
  inDatabase(
    ...([
      'the money of a bill is lost when it is merged',
      'every payment once',
      'before insert on part_payment',
    ] as const),
    'return null;',
  ),
  inDatabase(
    ...([
      'units that were sold stay in stock',
      'stock is what is left',
      'before update on availability',
    ] as const),
    'if new.stock < old.stock then new.stock := old.stock; end if; return new;',
  ),
  inDatabase(
    ...([
      'units that came back are not in stock',
      'stock is what is left',
      'before update on availability',
    ] as const),
    'if new.stock > old.stock then new.stock := old.stock; end if; return new;',
  ),
  inDatabase(
    ...(['units that were voided are void twice', 'every line once', 'after update on ticket_item'] as const),
    `if new.voided_at is not null and old.voided_at is null then
       update ticket_item set voided_at = new.voided_at, void_reason = new.void_reason, voided_by = new.voided_by
       where org_id = new.org_id and ticket_id = new.ticket_id and voided_at is null;
     end if; return null;`,
  ),
];
