/** A ticket as the staff see it (Shapes, OpenTicketView; Decisions 3, 12). */
import Type, { type Static } from 'typebox';
import {
  DateTime,
  Flag,
  Int32,
  Money,
  nullable,
  Rate,
  Text,
  TranslationsMap,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { OrderedItem } from '../../pricing/contract/cart.ts';
import { OPENED_VIA, TICKET_STATUSES } from '../domain/ticket.ts';

/** Decisions 3, TicketBill. */
export const TicketBill = Type.Object({
  subtotal: Money({ description: 'Live lines, before deals and rewards.' }),
  deal_discount: Money(),
  reward_discount: Money(),
  discount_amount: Money(),
  service_charge_amount: Money(),
  tax_amount: Money(),
  total: Money({ description: 'What is to be paid.' }),
  tax_inclusive: Flag({ description: 'True: the tax is inside `total`.' }),
  tax_rate: Rate(),
  service_charge_rate: Rate({ description: '0 without a table.' }),
  service_charge_taxable: Flag(),
});

const TicketLine = Type.Object({
  input: OrderedItem,
  name: Text(),
  name_translations: TranslationsMap,
  size_label: nullable(Text()),
  size_translations: TranslationsMap,
  modifiers: Type.Array(Text(), { description: 'Add-ons and optionals; of a combo, what was picked.' }),
  modifier_translations: Type.Array(TranslationsMap, { description: 'Of `modifiers`, place by place.' }),
  quantity: Int32({ minimum: 1 }),
  unit_price: Money({ description: 'In its size; 0 for a combo.' }),
  line_total: Money(),
});

/** Shapes, OpenTicketItemView. */
export const TicketItem = Type.Object({
  id: UuidText(),
  round_number: Int32({ minimum: 1 }),
  round_fired_at: DateTime(),
  round_notes: nullable(
    Text({ description: 'What the guests said with the round; forgotten a day after the end.' }),
  ),
  menu_item_id: nullable(UuidText()),
  line: TicketLine,
  line_total: Money({ description: 'Before deals; the price of when it was fired.' }),
  accepted: Flag({ description: 'False: the guest’s round waits for staff, or was rejected.' }),
  voided: Flag(),
  void_reason: nullable(Text()),
  sent_to: Type.Array(Text(), { description: 'Names of the stations that make it.' }),
  ready_at: nullable(DateTime({ description: 'When the kitchen had made all of it.' })),
});

/** Shapes, OpenTicketView. */
export const Ticket = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  ticket_ref: Text({ examples: ['T-0042'] }),
  status: Word(TICKET_STATUSES),
  revision: Int32({ minimum: 1, description: 'A change names the one that it was decided on.' }),
  timezone: Text({ examples: ['Africa/Cairo'] }),
  table_id: nullable(UuidText()),
  opened_at: DateTime(),
  opened_by: UuidText({ description: 'A person; the table where a guest opened it.' }),
  opened_by_name: nullable(Text()),
  opened_via: Word(OPENED_VIA),
  guest_count: nullable(Int32({ minimum: 1 })),
  customer_name: nullable(Text()),
  customer_phone: nullable(Text({ description: 'That a guest at the table gave.' })),
  notes: nullable(Text()),
  booking_id: nullable(UuidText()),
  member_id: nullable(UuidText({ description: 'The loyalty card.' })),
  customer_id: nullable(UuidText()),
  discount_id: nullable(UuidText()),
  discount_type: nullable(Word(['percentage', 'fixed'])),
  discount_value: nullable(Type.Number({ description: 'Per cent, or piastres of a fixed one.' })),
  split_of: nullable(UuidText({ description: 'The ticket that it was split from.' })),
  merged_into: nullable(UuidText({ description: 'The ticket in which it lives on.' })),
  items: Type.Array(TicketItem),
  subtotal: Money({ description: 'Of `bill`; 0 without one.' }),
  bill: nullable(TicketBill),
  parts: nullable(
    Type.Array(Money(), {
      description: 'What each of the equal parts of the bill comes to; null: it is not shared.',
    }),
  ),
  payments: Type.Array(
    Type.Object({
      id: UuidText(),
      at: DateTime(),
      method: Text(),
      amount: Money(),
      tip: Money(),
      tendered: nullable(Money()),
      change: nullable(Money()),
      till_id: nullable(UuidText()),
      staff_id: UuidText(),
    }),
    { description: 'Of the open ticket, in parts. Empty once it is settled: its sale has them.' },
  ),
  paid: Money({ description: 'In parts so far.' }),
  due: Money({ description: 'What is left to pay of `bill`.' }),
  ready: Flag({ description: 'Something was fired, and the kitchen has made every live line.' }),
  ready_at: nullable(DateTime()),
  order_id: nullable(
    UuidText({ description: 'The sale of a settled ticket, or of a voided one that a device was paid for.' }),
  ),
  settled_at: nullable(DateTime()),
  voided_at: nullable(DateTime()),
  void_reason: nullable(Text({ description: 'Also `merged` and `empty`.' })),
  void_note: nullable(Text()),
});

export const EXAMPLE_TICKET_ID = '2f1e0d9c-8b7a-4695-a4b3-c2d1e0f9a816';
const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';
const COFFEE = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';

export const exampleBill: Static<typeof TicketBill> = {
  ...{ subtotal: 9_000, deal_discount: 0, reward_discount: 0, discount_amount: 0 },
  ...{ service_charge_amount: 1_080, tax_amount: 1_411, total: 11_491, tax_inclusive: false },
  ...{ tax_rate: 0.14, service_charge_rate: 0.12, service_charge_taxable: true },
};

export const exampleTicket: Static<typeof Ticket> = {
  ...{ id: EXAMPLE_TICKET_ID, branch_id: BRANCH, ticket_ref: 'T-0042', status: 'open', revision: 1 },
  ...{ timezone: 'Africa/Cairo', table_id: '9e8d7c6b-5a49-5838-8271-605f4e3d2c04' },
  ...{ opened_at: '2026-12-04T17:40:00.000Z', opened_by: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d' },
  ...{
    opened_by_name: 'كريم',
    opened_via: 'staff',
    guest_count: 2,
    customer_name: null,
    customer_phone: null,
    notes: null,
  },
  ...{ booking_id: null, member_id: null, customer_id: null },
  ...{ discount_id: null, discount_type: null, discount_value: null, split_of: null, merged_into: null },
  items: [
    {
      ...{ id: '6a5b4c3d-2e1f-4a0b-9c8d-7e6f5a4b3c21', round_number: 1 },
      ...{ round_fired_at: '2026-12-04T17:40:00.000Z', round_notes: null, menu_item_id: COFFEE },
      line: {
        input: { menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' },
        ...{ name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, size_label: 'سنجل' },
        ...{ size_translations: { en: 'Single' }, modifier_translations: [] },
        ...{ modifiers: [], quantity: 2, unit_price: 4_500, line_total: 9_000 },
      },
      ...{ line_total: 9_000, accepted: true, voided: false, void_reason: null },
      ...{ sent_to: ['البار'], ready_at: null },
    },
  ],
  subtotal: 9_000,
  bill: exampleBill,
  ...{ parts: null, payments: [], paid: 0, due: 11_491 },
  ...{ ready: false, ready_at: null, order_id: null, settled_at: null },
  ...{ voided_at: null, void_reason: null, void_note: null },
};
