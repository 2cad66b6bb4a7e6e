/** What devices tell of tills, sales and refunds that they made without the server (Decisions 13). */
import Type, { type Static } from 'typebox';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';
import { IdInput, Int32, nullable, optionalNullable, Word } from '../../platform/contract/scalars.ts';
import { VOUCHER_LENGTH } from '../../loyalty/domain/voucher.ts';
import { cartRewards, RecordedItems } from '../../pricing/contract/cart.ts';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';
import { CASH_KINDS } from '../domain/till.ts';
import { VOID_REASONS } from '../domain/void-reason.ts';
import { RecordedPayments } from './payments.ts';
import { Counted, reasonText } from './tills.ts';

const strict = { additionalProperties: false } as const;

const tillId = IdInput('The till, by the id that the device gave it, or the server.');

const OWN_TILL = 'the one that the person had open when left out.';

export const eventTill = {
  till_id: optionalNullable(IdInput(`The till that took the money; ${OWN_TILL}`)),
};

/** What rewards were given against. */
export const eventVoucher = {
  voucher: optionalNullable(
    Type.String({
      maxLength: VOUCHER_LENGTH,
      description: 'What the rewards were given against: the voucher that the guest showed.',
    }),
  ),
};

/** As the device charged it. */
export const eventTotal = Type.Integer({
  ...{ minimum: 0, maximum: HIGHEST_TOTAL },
  description:
    'What the guest had to pay, in piastres. It stands, also where the lines come to another amount.',
});

export const SALE_EVENTS = {
  till_open: Type.Object(
    {
      till_id: IdInput('The id of the till, made by the device.'),
      opening_float: Type.Integer({
        minimum: 0,
        maximum: HIGHEST_PRICE,
        description: 'Cash in it, in piastres.',
      }),
    },
    strict,
  ),
  till_cash: Type.Object(
    {
      till_id: tillId,
      movement: Word(CASH_KINDS, { description: '`drop`: into the safe.' }),
      amount: Type.Integer({ minimum: 1, maximum: HIGHEST_PRICE, description: 'Piastres.' }),
      reason: reasonText('What it is for.'),
    },
    strict,
  ),
  till_close: Type.Object(
    {
      till_id: tillId,
      counted: Counted,
      note: Type.Optional(nullable(reasonText('What a manager should know.'))),
    },
    strict,
  ),
  sale: Type.Object(
    {
      sale_id: IdInput('The id of the sale, made by the device.'),
      items: RecordedItems,
      total: eventTotal,
      payments: RecordedPayments,
      ...eventTill,
      member_id: optionalNullable(IdInput('The loyalty card of the guest; needed with `rewards`.')),
      rewards: cartRewards('Loyalty rewards that the member spent.'),
      ...eventVoucher,
      customer_name: Type.Optional(
        nullable(Type.String({ maxLength: 100, description: 'To call out; forgotten a day later.' })),
      ),
    },
    strict,
  ),
  refund: Type.Object(
    {
      refund_id: IdInput('The id of the refund, made by the device.'),
      sale_id: IdInput('The sale, by the id that the device knows.'),
      lines: Type.Optional(
        Type.Array(
          Type.Object(
            {
              index: Int32({
                minimum: 0,
                description: 'The place of the line in the cart of the sale, from 0.',
              }),
              units: Type.Integer({ minimum: 1, maximum: MAX_LINE_QUANTITY }),
            },
            strict,
          ),
          { minItems: 1, maxItems: MAX_LINES },
        ),
      ),
      all: Type.Optional(Type.Literal(true, { description: 'Everything that is left; instead of `lines`.' })),
      method: Type.String({ pattern: PAYMENT_METHOD_PATTERN, description: 'How the money went back.' }),
      amount: Type.Integer({
        ...{ minimum: 0, maximum: HIGHEST_TOTAL },
        description: 'What went back, in piastres. It stands.',
      }),
      reason: Word(VOID_REASONS),
      note: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
      till_id: optionalNullable(IdInput(`The till that the money came out of; ${OWN_TILL}`)),
    },
    strict,
  ),
};

export type SaleEventData = {
  readonly [Kind in keyof typeof SALE_EVENTS]: Static<(typeof SALE_EVENTS)[Kind]>;
};
