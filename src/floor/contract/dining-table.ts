import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  Money,
  nullable,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';

const ROUND_STATES = ['waiting', 'fired', 'ready', 'rejected', 'void'] as const;

const TableRound = Type.Object({
  number: Int32({ minimum: 1 }),
  sent_at: DateTime({ description: 'When it was sent; once it is accepted, when it was fired.' }),
  state: Word(ROUND_STATES, {
    description: '`waiting`: for staff to accept it; `fired`: to the kitchen; `void`: taken off by staff.',
  }),
  lines: Type.Array(
    Type.Object({
      name: Text(),
      name_translations: TranslationsMap,
      size_label: nullable(Text()),
      size_translations: TranslationsMap,
      modifiers: Type.Array(Text()),
      modifier_translations: Type.Array(TranslationsMap, { description: 'Of `modifiers`, place by place.' }),
      quantity: Int32({ minimum: 1 }),
      line_total: Money(),
      voided: Flag(),
    }),
  ),
});

/** Decisions 3, PublicTable. `bill` is null while no bill is open on the table. */
export const PublicTable = Type.Object({
  table_id: UuidText({ description: 'As its QR code names it.' }),
  branch_id: UuidText(),
  org_id: UuidText(),
  label: Text({ examples: ['T4'] }),
  branch_name: Text(),
  accepting: Flag({ description: 'Whether the table takes orders by its QR code now.' }),
  bill: nullable(
    Type.Object({
      ticket_id: UuidText(),
      opened_at: DateTime(),
      ready: Flag({ description: 'The kitchen has made all of it.' }),
      subtotal: Money(),
      total: Money({ description: 'What it comes to now.' }),
      due: Money({ description: 'What is left to pay of it.' }),
      rounds: Type.Array(TableRound),
    }),
  ),
});

export const getTable = endpoint({
  id: 'getTable',
  method: 'GET',
  path: '/public/tables/{id}',
  tag: 'Tables',
  summary: 'A table with its running bill, as its QR code names it',
  params: { id: { scalar: uuidScalar, description: 'The id in the QR code.' } },
  query: {},
  reply: PublicTable,
  refusals: ['NOT_FOUND'],
  cache: 'no-cache',
  limit: 'ordering_reads',
  examples: {
    'a free table': {
      reply: {
        table_id: '9e8d7c6b-5a49-5838-8271-605f4e3d2c04',
        branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22',
        org_id: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10',
        label: 'T4',
        branch_name: 'الزمالك',
        accepting: true,
        bill: null,
      },
    },
  },
});
