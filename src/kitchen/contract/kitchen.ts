/** What the stations of a branch make (Decisions 12, Kitchen). */
import Type, { type Static } from 'typebox';
import { endpoint, optional, required, restricted } from '../../platform/contract/endpoint.ts';
import { listLimit, MAX_LISTED } from '../../platform/contract/lists.ts';
import {
  DateTime,
  IdInput,
  Int32,
  nullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';
import { FIRING_SOURCES } from '../domain/firing.ts';

const common = { tag: 'Kitchen', cache: 'no-store', limit: 'staff' } as const;
const ticketId = { id: { scalar: uuidScalar, description: 'The id of the kitchen ticket.' } };

const StationName = Type.Object({
  id: nullable(UuidText({ description: 'Null: the branch has no stations.' })),
  name: Text({ description: 'In the main language of the shop, as all text of the kitchen.' }),
});

export const KitchenItem = Type.Object({
  id: UuidText(),
  menu_item_id: UuidText(),
  name: Text(),
  size_label: nullable(Text()),
  details: Type.Array(Text(), { description: 'Add-ons and optionals.' }),
  combo: nullable(Text({ description: 'The combo that it is part of.' })),
  notes: nullable(Text()),
  tables: Type.Array(Text(), { description: 'Where its units go now.' }),
  quantity: Int32({ minimum: 1 }),
  voided: Int32({ minimum: 0, description: 'Units of the quantity that are not to be made.' }),
  void_reason: nullable(Text()),
  bumped_at: nullable(DateTime()),
});

export const KitchenTicket = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  station: StationName,
  source: Word(FIRING_SOURCES, {
    description: 'A round of a ticket, a sale over the counter, or an online order.',
  }),
  source_id: UuidText({ description: 'The ticket, sale or order.' }),
  round: Int32({ minimum: 1 }),
  reference: Text({ examples: ['T-0042'] }),
  name: nullable(Text({ description: 'Of the guest, to call out; forgotten a day later, as notes are.' })),
  notes: nullable(Text()),
  fired_at: DateTime(),
  promised_at: nullable(DateTime({ description: 'To the guest of an order.' })),
  done_at: nullable(DateTime({ description: 'Every item is bumped.' })),
  items: Type.Array(KitchenItem),
});

const Board = Type.Object({
  as_of: DateTime({
    description: 'When it was read. A screen that holds an older one for long should say so loudly.',
  }),
  stations: Type.Array(StationName),
  tickets: Type.Array(KitchenTicket),
  totals: Type.Array(
    Type.Object({
      menu_item_id: UuidText(),
      name: Text(),
      size_label: nullable(Text()),
      quantity: Int32({ minimum: 1 }),
    }),
    { description: 'Units to make of each item and size, over these tickets.' },
  ),
});

const ID = '4c3d2e1f-0a9b-4c8d-8e7f-6a5b4c3d2e1f';
const COFFEE = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';
const LINE = '7b6a5c4d-3e2f-4b1a-9d8c-0f1e2d3c4b5a';

const exampleTicket: Static<typeof KitchenTicket> = {
  ...{ id: ID, branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22' },
  station: { id: '8d7c6b5a-4938-5271-8605-f4e3d2c1b0a9', name: 'البار' },
  ...{ source: 'ticket', source_id: '2f1e0d9c-8b7a-4695-a4b3-c2d1e0f9a816', round: 1 },
  ...{ reference: 'T-0042', name: null, notes: null, fired_at: '2026-12-04T17:40:00.000Z' },
  ...{ promised_at: null, done_at: null },
  items: [
    {
      ...{ id: LINE, menu_item_id: COFFEE, name: 'قهوة تركي', size_label: 'سنجل', details: [] },
      ...{ combo: null, notes: 'سكر زيادة', tables: ['T4'], quantity: 2, voided: 0 },
      ...{ void_reason: null, bumped_at: null },
    },
  ],
};

const bumped = (at: string | null) => ({
  ...{ ...exampleTicket, done_at: at },
  items: exampleTicket.items.map((item) => ({ ...item, bumped_at: at })),
});

const body = Type.Object(
  {
    item_ids: Type.Optional(
      Type.Array(IdInput('An item of the ticket.'), {
        ...{ minItems: 1, maxItems: MAX_LISTED, description: 'All of them when left out.' },
      }),
    ),
  },
  { additionalProperties: false },
);

export const bumpKitchenTicket = restricted(
  { by: 'staff', permission: 'kitchen.bump' },
  endpoint({
    ...common,
    id: 'bumpKitchenTicket',
    method: 'POST',
    path: '/staff/kitchen/{id}/bump',
    summary: 'Says that the items of a kitchen ticket are made',
    description:
      'A ticket with every item bumped leaves the board. An online order whose last item is bumped moves to `ready`, unless ' +
      'the branch has `kitchen_moves_orders: false`.',
    params: ticketId,
    query: {},
    body,
    reply: KitchenTicket,
    refusals: ['NOT_FOUND'],
    examples: { 'all of it': { body: {}, reply: bumped('2026-12-04T17:46:00.000Z') } },
  }),
);

export const getKitchen = restricted(
  { by: 'staff', permission: 'kitchen.read' },
  endpoint({
    ...common,
    id: 'getKitchen',
    method: 'GET',
    path: '/staff/kitchen',
    summary: 'What the kitchen of a branch has to make, the oldest first',
    description: 'Of the last 24 hours.',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      station: optional(uuidScalar, 'Only of this station of the branch.'),
      status: optional(
        wordScalar(['open', 'done']),
        '`open` (the default): to make; `done`: made, the last first, for a recall.',
      ),
      source_id: optional(uuidScalar, 'Only of this ticket, sale or order.'),
      limit: listLimit,
      after: optional(uuidScalar, 'The last kitchen ticket of the page before.'),
    },
    reply: Board,
    refusals: ['NOT_FOUND'],
    examples: {
      'one ticket at the bar': {
        reply: {
          as_of: '2026-12-04T17:41:00.000Z',
          stations: [exampleTicket.station],
          tickets: [exampleTicket],
          totals: [{ menu_item_id: COFFEE, name: 'قهوة تركي', size_label: 'سنجل', quantity: 2 }],
        },
      },
    },
  }),
);

export const recallKitchenTicket = restricted(
  { by: 'staff', permission: 'kitchen.bump' },
  endpoint({
    ...common,
    id: 'recallKitchenTicket',
    method: 'POST',
    path: '/staff/kitchen/{id}/recall',
    summary: 'Takes a bump back: the items are on the board again',
    description: 'An online order that is `ready` stays ready: its guest was told.',
    params: ticketId,
    query: {},
    body,
    reply: KitchenTicket,
    refusals: ['NOT_FOUND'],
    examples: { 'all of it': { body: {}, reply: exampleTicket } },
  }),
);
