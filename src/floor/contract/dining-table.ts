import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { Flag, Text, uuidScalar, UuidText } from '../../platform/contract/scalars.ts';

/** Decisions 3, PublicTable. `bill` is null while no bill is open on the table. */
export const PublicTable = Type.Object({
  table_id: UuidText(),
  branch_id: UuidText(),
  org_id: UuidText(),
  label: Text({ examples: ['T4'] }),
  branch_name: Text(),
  accepting: Flag({ description: 'Whether the table takes orders by its QR code now.' }),
  bill: Type.Null(),
});

export const getTable = endpoint({
  id: 'getTable',
  method: 'GET',
  path: '/public/tables/{id}',
  tag: 'Tables',
  summary: 'A table, as its QR code names it',
  params: { id: { scalar: uuidScalar, description: "The table's id." } },
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
