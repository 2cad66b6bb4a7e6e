/** The staff's board (Decisions 4, 12). */
import { listLimit } from '../../platform/contract/lists.ts';
import Type, { type Static } from 'typebox';
import { MOVE_TARGETS, MAX_EXTRA_PREP_MINUTES } from '../domain/transitions.ts';
import { ORDER_STATUSES, STAFF_CANCEL_REASONS, type OrderStatus } from '../domain/order.ts';
import { EXAMPLE_ITEM, exampleOrder, StaffOrder } from './delivery-order.ts';
import { endpoint, optional, required, restricted, streaming } from '../../platform/contract/endpoint.ts';
import {
  Flag,
  Int32,
  integerScalar,
  optionalNullable,
  Text,
  uuidScalar,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';

/** At least one; where both are given, both must match. */
const precondition = {
  from: Type.Optional(
    Word(ORDER_STATUSES, {
      description:
        'The status that the change was decided on. This or `revision` is needed; of both, both must hold.',
    }),
  ),
  revision: Type.Optional(Int32({ minimum: 1, description: 'The revision that the change was decided on.' })),
};

const changeOf = <P extends Record<string, Type.TSchema>>(fields: P) =>
  Type.Object({ ...fields, ...precondition }, { additionalProperties: false });

export const boardCommon = { tag: 'Board', cache: 'no-store', limit: 'staff' } as const;
const orderId = { id: { scalar: uuidScalar, description: "The order's id." } };
const CHANGE_REFUSALS = ['NOT_FOUND', 'ORDER_ENDED', 'ORDER_MOVED'] as const;

const example = (more: Partial<Static<typeof StaffOrder>>): Static<typeof StaffOrder> => ({
  ...exampleOrder,
  cancel_reason: null,
  language: 'ar',
  cancel_note: null,
  moves: ['confirmed', 'preparing', 'ready'],
  ...more,
});

const confirmed = example({
  status: 'confirmed',
  revision: 2,
  confirmed_at: '2026-12-04T17:02:00.000Z',
});

export const listOrders = restricted(
  { by: 'staff', permission: 'orders.read' },
  endpoint({
    ...boardCommon,
    id: 'listOrders',
    method: 'GET',
    path: '/staff/orders',
    summary: 'The orders of a branch: those under way, oldest first, or those of a status, newest first',
    description:
      'Page by page: as long as a page is full there may be more, and the next is asked for with `after`, the id of its ' +
      'last order. A branch that was archived still has its orders.',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      status: optional(
        wordScalar(ORDER_STATUSES),
        'Only orders of this status; without it, those under way.',
      ),
      limit: listLimit,
      after: optional(
        uuidScalar,
        'The last order of the page before, whatever its status is now: only those that follow it in this list.',
      ),
    },
    reply: Type.Array(StaffOrder),
    refusals: ['NOT_FOUND'],
    examples: { 'one that came in': { reply: [example({ status: 'received' })] } },
  }),
);

export const getOrder = restricted(
  { by: 'staff', permission: 'orders.read' },
  endpoint({
    ...boardCommon,
    id: 'getOrder',
    method: 'GET',
    path: '/staff/orders/{id}',
    summary: 'One order',
    params: orderId,
    query: {},
    reply: StaffOrder,
    refusals: ['NOT_FOUND'],
    examples: { 'one that came in': { reply: example({ status: 'received' }) } },
  }),
);

const AGAIN =
  'What is so already is answered with 200 and not done a second time. Of two racing changes one wins.';

/** Accepted by the schema, so the refusal can name the right operation. */
const NO_TARGETS = ORDER_STATUSES.filter((status) => !MOVE_TARGETS.some((each) => each === status));
const target = Type.Unsafe<OrderStatus>({
  type: 'string',
  anyOf: [{ enum: [...MOVE_TARGETS] }, { enum: NO_TARGETS }],
  description: `One of ${MOVE_TARGETS.join(', ')}; any other is refused with what to do instead.`,
});

export const moveOrder = restricted(
  { by: 'staff', permission: 'orders.move' },
  endpoint({
    ...boardCommon,
    id: 'moveOrder',
    method: 'POST',
    path: '/staff/orders/{id}/move',
    summary: 'Moves an order to a step: forward, skipping where need be, or back after a mis-tap',
    description: `The times of steps that are undone are gone. ${AGAIN}`,
    params: orderId,
    query: {},
    body: changeOf({ to: target }),
    reply: StaffOrder,
    refusals: CHANGE_REFUSALS,
    examples: {
      confirmed: {
        body: { to: 'confirmed', from: 'received' },
        reply: confirmed,
      },
    },
  }),
);

export const cancelOrder = restricted(
  { by: 'staff', permission: 'orders.cancel' },
  endpoint({
    ...boardCommon,
    id: 'cancelOrder',
    method: 'POST',
    path: '/staff/orders/{id}/cancel',
    summary: 'Cancels an order, or rejects one that is not confirmed yet',
    description: AGAIN,
    params: orderId,
    query: {},
    body: changeOf({
      reason: Word(STAFF_CANCEL_REASONS, { description: 'What the guest is told.' }),
      note: optionalNullable(Type.String({ maxLength: 500, description: 'For the staff alone.' })),
      restock: Type.Optional(
        Flag({ description: 'Whether counted units go back on the shelf; true when left out.' }),
      ),
    }),
    reply: StaffOrder,
    refusals: CHANGE_REFUSALS,
    examples: {
      rejected: {
        body: { reason: 'too_busy', restock: true, from: 'received' },
        reply: example({
          ...{ status: 'rejected', revision: 2, rejected_at: '2026-12-04T17:02:00.000Z' },
          ...{ cancel_reason: 'too_busy', cancel_restocked: true },
        }),
      },
    },
  }),
);

export const finalizeOrder = restricted(
  { by: 'staff', permission: 'orders.finalize' },
  endpoint({
    ...boardCommon,
    id: 'finalizeOrder',
    method: 'POST',
    path: '/staff/orders/{id}/finalize',
    summary: 'Delivers an order: it is handed over and paid',
    description: `At its frozen figures, never priced again; it joins the open till of whoever does it; after a reopening with \`handed_over\` the till that it was in, if that is open. ${AGAIN}`,
    params: orderId,
    query: {},
    body: changeOf({
      payment_method: Type.String({
        minLength: 1,
        maxLength: 40,
        description: "One of the shop's list.",
        examples: ['cash'],
      }),
    }),
    reply: StaffOrder,
    refusals: CHANGE_REFUSALS,
    examples: {
      'paid in cash': {
        body: { payment_method: 'cash', from: 'ready' },
        reply: example({
          ...{ status: 'delivered', revision: 5, payment_method: 'cash' },
          ...{ delivered_at: '2026-12-04T17:20:00.000Z' },
        }),
      },
    },
  }),
);

export const reopenOrder = restricted(
  { by: 'staff', permission: 'orders.reopen' },
  endpoint({
    ...boardCommon,
    id: 'reopenOrder',
    method: 'POST',
    path: '/staff/orders/{id}/reopen',
    summary: 'Undoes the delivery of an order, on the business day of the delivery',
    description:
      'For a wrong payment method, or a mis-tap: the order is at its last step before the delivery again, `confirmed` at least, and ' +
      'unpaid. Its sale is gone from till and reports, and it is delivered anew, or cancelled. What it earned on a card stays until ' +
      `it is cancelled. On a later business day, or once its till is closed, its sale is refunded instead. Name the \`revision\`: after a lost answer \`from\` is also true of a delivery that was made since. ${AGAIN}`,
    params: orderId,
    query: {},
    body: changeOf({
      handed_over: Type.Optional(
        Flag({
          description:
            'Whether the guest has the order all the same; true when left out. Then the kitchen makes nothing again, and whoever delivers ' +
            'it anew, its sale is in the till of the first delivery while that is open. With false all of it is on the board of the ' +
            'kitchen again, unless it is reopened to `ready` or later, and its sale is in the till of whoever hands it over.',
        }),
      ),
    }),
    reply: StaffOrder,
    refusals: [...CHANGE_REFUSALS, 'REOPEN_TOO_LATE', 'SALE_REFUNDED', 'REOPEN_TILL_CLOSED'],
    examples: {
      'not handed over yet': {
        body: { handed_over: false, revision: 5 },
        reply: example({
          ...{ status: 'ready', revision: 6, ready_at: '2026-12-04T17:22:00.000Z' },
          moves: ['confirmed', 'preparing', 'out_for_delivery'],
        }),
      },
    },
  }),
);

export const setPrepTime = restricted(
  { by: 'staff', permission: 'orders.prep_time' },
  endpoint({
    ...boardCommon,
    id: 'setPrepTime',
    method: 'POST',
    path: '/staff/orders/{id}/prep-time',
    summary: 'Says how many minutes more than usual an order takes',
    description: AGAIN,
    params: orderId,
    query: {},
    body: changeOf({
      extra_prep_minutes: Int32({
        description: `A multiple of 5, from 0 to ${MAX_EXTRA_PREP_MINUTES}.`,
        examples: [10],
      }),
    }),
    reply: StaffOrder,
    refusals: CHANGE_REFUSALS,
    examples: {
      'ten more': {
        body: { extra_prep_minutes: 10, revision: 1 },
        reply: example({ status: 'received', revision: 2, extra_prep_minutes: 10 }),
      },
    },
  }),
);

export const markPrinted = restricted(
  { by: 'staff', permission: 'orders.print' },
  endpoint({
    ...boardCommon,
    id: 'markPrinted',
    method: 'POST',
    path: '/staff/orders/{id}/printed',
    summary: "Notes that an order's receipt was printed; the first time counts",
    params: orderId,
    query: {},
    reply: StaffOrder,
    refusals: ['NOT_FOUND'],
    examples: {
      printed: {
        reply: example({ status: 'confirmed', revision: 2, receipt_printed_at: '2026-12-04T17:03:00.000Z' }),
      },
    },
  }),
);

export const BoardEvent = Type.Object({
  type: Text({
    description:
      '`delivery`: an order; `booking`, `booking_block`, `ticket`: to be read again by their id, or with the day; `kitchen_ticket`: fired, made, void or recalled; `table`: taken, or free again; `channel`: pauses of the branch; `availability`: a thing of the menu; `menu`: what the ' +
      'shop sells; `branch_settings`; `reset`: read everything anew. There may be others.',
  }),
  id: optionalNullable(Text({ description: 'Of what changed; for `menu` of the shop. None with `reset`.' })),
  order: Type.Optional(StaffOrder),
});

export const lastEventHeader = {
  'last-event-id': optional(integerScalar(0), 'The `id` of the last event that was received.'),
};

export const lastEventQuery = {
  last_event_id: optional(
    integerScalar(0),
    'The same, for a new EventSource, which cannot send the header; one that reconnects sends it, and it counts.',
  ),
};

export const boardEvents = restricted(
  { by: 'staff', permission: 'events.read' },
  streaming(
    endpoint({
      ...boardCommon,
      id: 'boardEvents',
      method: 'GET',
      path: '/staff/events',
      summary: 'What happens at a branch, as Server-Sent Events',
      description:
        'Every event has an `id`; a client that comes back with `Last-Event-ID` misses nothing, and sees the last ' +
        'change of an order instead of each. Without one, events begin now, after the `id` that is sent first: listen first, then read the orders. A ' +
        'stream ends after some minutes, and the client comes back; it ends too when its sign-in does, or when the ' +
        'branch is no longer one where they work.',
      params: {},
      query: { branch_id: required(uuidScalar, "The branch's id."), ...lastEventQuery },
      headers: lastEventHeader,
      reply: BoardEvent,
      refusals: ['NOT_FOUND'],
      examples: {
        'an order was confirmed': { reply: { type: 'delivery', id: exampleOrder.id, order: confirmed } },
        'something is sold out': { reply: { type: 'availability', id: EXAMPLE_ITEM } },
        'too much was missed': { reply: { type: 'reset' } },
      },
    }),
  ),
);
