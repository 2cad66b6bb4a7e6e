/** How a sale is paid (Decisions 12, Settle). */
import Type from 'typebox';
import { nullable } from '../../platform/contract/scalars.ts';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import { PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';

const piastres = (description: string) => Type.Integer({ minimum: 0, maximum: HIGHEST_TOTAL, description });

const MAX_PAYMENTS = 50;

const payment = {
  method: Type.String({ pattern: PAYMENT_METHOD_PATTERN, description: 'A payment method of the shop.' }),
  tendered: Type.Optional(
    nullable(piastres('What the guest handed over, of cash: the rest above amount and tip is change.')),
  ),
  tip: Type.Optional(nullable(piastres('On top of the amount.'))),
};

/** Of a bill that stays open. */
export const PaymentInput = Type.Object({
  ...payment,
  amount: Type.Integer({ minimum: 1, maximum: HIGHEST_TOTAL, description: 'In piastres.' }),
});

const paymentInputs = (description: string) =>
  Type.Array(
    Type.Object(
      { ...payment, amount: piastres('What of the total is paid by it, in piastres.') },
      { additionalProperties: false },
    ),
    { maxItems: MAX_PAYMENTS, description },
  );

export const PaymentInputs = paymentInputs(
  'The amounts add up to the total exactly; none where the total is 0.',
);

/** That a device took. */
export const RecordedPayments = paymentInputs(
  'As they were taken. Where they do not add up to the total, the sale is reviewed.',
);
