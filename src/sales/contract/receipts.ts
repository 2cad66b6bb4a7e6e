/** Receipts of sales (Decisions 12, Sale). */
import Type, { type Static } from 'typebox';
import { endpoint, fileAnswer, optional, restricted } from '../../platform/contract/endpoint.ts';
import {
  Int32,
  Money,
  nullable,
  Text,
  uuidScalar,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';
import { LANGUAGES } from '../../kernel/names.ts';

const Sum = { label: Text(), amount: Money({ description: 'Negative where it is taken off.' }) };

/** Everything that a receipt shows, in one language. */
export const Receipt = Type.Object({
  language: Word(LANGUAGES),
  shop: Text(),
  branch: Text(),
  address: nullable(Text()),
  phone: nullable(Text()),
  sale_ref: Text(),
  at: Text({ description: "In the branch's zone.", examples: ['2026-12-04 19:40'] }),
  staff_name: nullable(Text()),
  lines: Type.Array(
    Type.Object({
      name: Text(),
      quantity: Int32({ minimum: 1 }),
      total: Money({ description: 'Before deals and rewards.' }),
      details: Type.Array(Text()),
    }),
  ),
  subtotal: Money(),
  sums: Type.Array(Type.Object(Sum), { description: 'What lies between `subtotal` and `total`.' }),
  total: Money(),
  tax_inside: nullable(Type.Object(Sum)),
  payments: Type.Array(Type.Object({ ...Sum, tip: Money(), change: nullable(Money()) })),
  refunds: Type.Array(Type.Object(Sum), { description: 'What went back since.' }),
  text: Text({ description: 'The same for a printer of 80 mm: 48 characters a line.' }),
});

const exampleText = [
  'T-0007                                    90.00',
  'Total (EGP)                               90.00',
].join('\n');

const exampleReceipt: Static<typeof Receipt> = {
  ...{ language: 'en', shop: 'Beit El Bunn', branch: 'Zamalek', address: null, phone: null },
  ...{ sale_ref: 'ZML-261204-0007', at: '2026-12-04 19:40', staff_name: 'سارة' },
  lines: [{ name: 'Turkish coffee', quantity: 2, total: 9_000, details: ['Single'] }],
  ...{ subtotal: 9_000, sums: [], total: 9_000, tax_inside: { label: 'Includes tax 14 %', amount: 1_105 } },
  payments: [{ label: 'Cash', amount: 9_000, tip: 0, change: 1_000 }],
  refunds: [],
  text: exampleText,
};

const common = {
  tag: 'Sales',
  cache: 'no-store',
  limit: 'staff',
  method: 'GET',
  params: { id: { scalar: uuidScalar, description: "The sale's id." } },
  query: {
    lang: optional(wordScalar(LANGUAGES), 'The language; that of the shop when left out, or Arabic.'),
  },
  refusals: ['NOT_FOUND'],
} as const;

export const getReceipt = restricted(
  { by: 'staff', permission: 'sales.read' },
  endpoint({
    ...common,
    id: 'getReceipt',
    path: '/staff/sales/{id}/receipt',
    summary: 'The receipt of a sale',
    reply: Receipt,
    examples: { 'two coffees': { reply: exampleReceipt } },
  }),
);

export const getReceiptText = restricted(
  { by: 'staff', permission: 'sales.read' },
  fileAnswer(
    { mediaType: 'text/plain; charset=utf-8', filename: 'receipt.txt' },
    endpoint({
      ...common,
      id: 'getReceiptText',
      path: '/staff/sales/{id}/receipt.txt',
      summary: 'The receipt of a sale for a printer of 80 mm',
      description:
        '48 characters of one width a line; Arabic stands at the right, and runs from right to left.',
      reply: Text(),
      examples: { 'two coffees': { reply: exampleText } },
    }),
  ),
);
