/** Export and erasure of personal data (Decisions 12). The shop verifies who asks. */
import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/people.ts';
import { orderScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { SecurityFacts } from '../../platform/domain/security-event.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import type { Kysely } from 'kysely';
import { customerChange } from '../../customers/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';
import { recordAudit, type AuditEvent } from '../../platform/app/audit.ts';
import { eraseNotes } from '../../platform/store/audit.ts';
import { bookingChange } from '../../bookings/app/table-assignment.ts';
import { dropMessagesAbout } from '../../messaging/app/shared.ts';
import { bookingsOfPhone, eraseBookingsOfPhone, type StoredBooking } from '../../bookings/app/shared.ts';
import { addressReply } from '../../customers/app/address.ts';
import { addressesOf, customerWithPhone } from '../../customers/app/shared.ts';
import { entryReply, notifyWallets } from '../../loyalty/app/shared.ts';
import type { EntryKind, EntrySource } from '../../loyalty/domain/ledger.ts';
import type { Mode } from '../../loyalty/domain/programme.ts';
import { endLift } from '../../orders/app/shared.ts';
import {
  cardsOf,
  endCards,
  entriesOf,
  eraseAddresses,
  eraseCustomer,
  eraseOrders,
  lockCardsOf,
  lockCustomer,
  lockOrdersOf,
  messagesAbout,
  ordersOfPerson,
  type OrderToErase,
  type StoredEntry,
} from '../store/people.ts';
import { lockReferences } from '../store/identity.ts';
import type { App } from '../../platform/app/app.ts';
import { countOpenTicketsOf, forgetTicketsOf, type TicketGuest } from '../../floor/app/shared.ts';
import { forgetNamesOfCards, lockSalesOfCards, saleChange } from '../../sales/app/shared.ts';
import { visitsOf } from './visits.ts';
import { forgetInKitchen } from '../../kitchen/app/shared.ts';
import { staffOrderReply } from '../../orders/app/order-reply.ts';
import { phoneIn } from '../../identity/app/otp.ts';
import type { Actor } from '../../staff/app/access.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';

type Export = ReplyOf<typeof contract.exportPerson>;
type Erasure = ReplyOf<typeof contract.erasePerson>;

interface PersonRequest<Id extends 'exportPerson' | 'erasePerson'> {
  readonly body: BodyOf<(typeof contract)[Id]>;
  readonly actor: Actor;
}

/** Records counts, never the person. */
const personEvent = (
  actor: Actor,
  action: string,
  customerId: Uuid | null,
  detail: NonNullable<AuditEvent['detail']>,
): AuditEvent => ({
  ...{ orgId: actor.orgId, staffId: actor.staffId, deviceId: actor.deviceId },
  ...{ action, subject: 'person', subjectId: customerId, detail },
});

const actorFacts = ({ orgId, staffId, deviceId }: Actor): SecurityFacts => ({
  org_id: orgId,
  staff_id: staffId,
  device_id: deviceId,
});

// ── Export ──────────────────────────────────────────────────────────────────────────────────────

/** Casts to literal types rely on check constraints of the table. */
const ledgerReply = (entry: StoredEntry): Export['loyalty_entries'][number] => ({
  ...entryReply({
    ...{ id: entry.id, at: entry.at, amount: entry.amount, shortfall: entry.shortfall, note: entry.note },
    ...{ mode: entry.mode as Mode, kind: entry.kind as EntryKind, source: entry.source as EntrySource },
    ...{ saleId: entry.sale_id, staffId: entry.staff_id, rewards: entry.rewards },
  }),
  card_id: entry.card_id,
});

const bookingReply = (booking: StoredBooking): Export['bookings'][number] => ({
  id: booking.id,
  branch_id: booking.branch_id,
  status: booking.status,
  party_size: booking.party_size,
  starts_at: isoInstant(booking.starts_at),
  ends_at: isoInstant(booking.ends_at),
  guest_name: booking.guest_name,
  phone_proven: booking.phone_proven,
  notes: booking.notes,
  language: booking.language,
  created_at: isoInstant(booking.created_at),
});

/**
 * One snapshot. Proofs of the phone span all shops and are left out: otherwise anyone could type a phone and
 * learn when other shops proved it.
 */
const collectPerson = (app: App, orgId: Uuid, phone: Phone): Promise<Export> =>
  app.db.snapshot(async (tx) => {
    const now = app.clock.now();
    const customer = await customerWithPhone(tx, orgId, phone);
    const orders = await ordersOfPerson(tx, orgId, { phone, customerId: customer?.id ?? null });
    const cards = customer === null ? [] : await cardsOf(tx, orgId, customer.id);
    const entries = customer === null ? [] : await entriesOf(tx, orgId, customer.id);
    const addresses = customer === null ? [] : await addressesOf(tx, orgId, customer.id);
    const orderIds = orders.map(({ id }) => id);
    const bookings = await bookingsOfPhone(tx, orgId, phone);
    const subjects = [...orderIds, ...bookings.map(({ id }) => id), ...cards.map(({ id }) => id)];
    const messages = await messagesAbout(tx, orgId, subjects);
    const cardIds = cards.map(({ id }) => id);
    return {
      exported_at: isoInstant(now),
      phone,
      customer: customer && {
        id: customer.id,
        name: customer.name,
        language: customer.language,
        phone_proven_at: customer.phone_proven_at === null ? null : isoInstant(customer.phone_proven_at),
        birth_month: customer.birth_month,
        birth_day: customer.birth_day,
        marketing_opt_out: customer.marketing_opt_out,
        created_at: isoInstant(customer.created_at),
        updated_at: isoInstant(customer.updated_at),
      },
      cards: cards.map((card) => ({ ...card, created_at: isoInstant(card.created_at) })),
      loyalty_entries: entries.map(ledgerReply),
      addresses: addresses.map(addressReply),
      orders: orders.map(staffOrderReply),
      bookings: bookings.map(bookingReply),
      ...(await visitsOf(tx, orgId, { cardIds, phone })),
      messages: messages.map((message) => ({ ...message, created_at: isoInstant(message.created_at) })),
    };
  });

/** POST /staff/people/export. Audited before the data is returned. */
export const exportPerson =
  (app: App) =>
  async ({ body, actor }: PersonRequest<'exportPerson'>): Promise<Export> => {
    const found = await collectPerson(app, actor.orgId, phoneIn(app, body.phone, 'phone'));
    const { customer, orders, addresses, bookings, tickets, sales } = found;
    const counts = {
      ...{ orders: orders.length, addresses: addresses.length, bookings: bookings.length },
      ...{ tickets: tickets.length, sales: sales.length },
    };
    await recordAudit(
      app,
      app.db.kysely,
      personEvent(actor, 'person.exported', customer?.id ?? null, counts),
    );
    app.security.record('person_exported', { ...actorFacts(actor), ...counts });
    return found;
  };

// ── Erasure ─────────────────────────────────────────────────────────────────────────────────────

interface LockedPerson {
  readonly customerId: Uuid | null;
  readonly cardIds: readonly Uuid[];
  readonly orders: readonly OrderToErase[];
}

/** Of the orders also those that were placed while this waited for the others and the cards. */
const lockPerson = async (tx: Kysely<Database>, orgId: Uuid, phone: Phone): Promise<LockedPerson> => {
  const customerId = await lockCustomer(tx, orgId, phone);
  const lockOrders = () => lockOrdersOf(tx, orgId, { phone, customerId });
  const found = await lockOrders();
  if (customerId === null) return { customerId, cardIds: [], orders: found };
  const cards = await cardsOf(tx, orgId, customerId);
  await lockSalesOfCards(
    tx,
    orgId,
    cards.map(({ id }) => id),
  );
  const cardIds = await lockCardsOf(tx, orgId, customerId);
  await lockReferences(tx, orgId, [customerId]);
  return { customerId, cardIds, orders: await lockOrders() };
};

/** What the person said at counters and tables, by the card or the phone: money stays, words go. Returns whether any did. */
const forgetVisits = async (
  tx: Kysely<Database>,
  log: ChangeLog,
  { orgId, ...guest }: TicketGuest & { readonly orgId: Uuid },
  now: Instant,
): Promise<boolean> => {
  const tickets = await forgetTicketsOf(tx, orgId, guest, now);
  const sales = await forgetNamesOfCards(tx, orgId, guest.cardIds);
  await forgetInKitchen(tx, log, { orgId, sourceIds: [...tickets, ...sales.ids], now });
  log.add(orgId, ...sales.named.map(saleChange));
  return tickets.length + sales.named.length > 0;
};

/**
 * POST /staff/people/erase. Open orders and tickets and their customer keep their data, so that a later request still
 * finds them; everything else is erased now.
 */
export const erasePerson =
  (app: App) =>
  async ({ body, actor }: PersonRequest<'erasePerson'>): Promise<Erasure> => {
    const phone = phoneIn(app, body.phone, 'phone');
    const { orgId } = actor;
    const erasure = await commitAndPublish(app, async (tx, log) => {
      const now = app.clock.now();
      const bookings = await eraseBookingsOfPhone(tx, orgId, phone, now);
      const { customerId, orders, cardIds } = await lockPerson(tx, orgId, phone);
      const ended = orders.filter(({ hasEnded }) => hasEnded).map(({ id }) => id);
      const openTickets = await countOpenTicketsOf(tx, orgId, { cardIds, phone });
      const hasNothingOpen = ended.length === orders.length && openTickets === 0;
      await eraseOrders(tx, orgId, ended, now);
      await forgetInKitchen(tx, log, { orgId, sourceIds: ended, now });
      await endLift(tx, orgId, phone);
      const addresses = customerId === null ? 0 : await eraseAddresses(tx, orgId, customerId);
      const subjects = [...ended, ...bookings.erased.map(({ id }) => id)];
      await eraseNotes(tx, orgId, subjects);
      await dropMessagesAbout(tx, orgId, subjects, now);
      if (customerId !== null && hasNothingOpen) {
        await dropMessagesAbout(tx, orgId, cardIds, now);
        await eraseCustomer(tx, orgId, customerId, now);
        const endedCards = cardIds.map((id) => ({ id, tokenHash: Buffer.from(app.random.bytes(32)) }));
        await endCards(tx, orgId, endedCards, customerId, now);
        for (const cardId of cardIds) await notifyWallets(tx, app, { orgId, cardId }, now);
      }
      // After the cards, which are locked now: a sale of theirs is there already, or finds its person erased.
      const isForgotten = await forgetVisits(tx, log, { orgId, cardIds, phone }, now);
      const counts = {
        ...{ orders: ended.length, open_orders: orders.length - ended.length },
        ...{ bookings: bookings.erased.length, open_bookings: bookings.open, open_tickets: openTickets },
      };
      const erased =
        ended.length + addresses + bookings.erased.length > 0 ||
        isForgotten ||
        (customerId !== null && hasNothingOpen);
      if (erased)
        await recordAudit(app, tx, personEvent(actor, 'person.erased', customerId, { ...counts, addresses }));
      log.add(
        orgId,
        ...(customerId === null ? [] : [customerChange(customerId)]),
        ...ended.map((id): Change => ({ scope: orderScope(id), type: 'delivery', id, op: 'upsert' })),
        ...bookings.erased.map((each) => bookingChange(each.branch_id, each.service_date, each.id)),
      );
      return { erased, ...counts };
    });
    app.security.record('person_erased', { ...actorFacts(actor), ...erasure });
    return erasure;
  };
