/** Whose order it is, and what proves that. */
import type { BodyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Checkout } from '../domain/checkout.ts';
import { identityOf, type Identity } from '../domain/customer.ts';
import type { Phone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { Redemption } from '../../pricing/domain/rewards.ts';
import type { CheckoutFacts } from '../store/checkout.ts';
import { redemptionOf } from './order-rewards.ts';
import type { OrderDecision } from './order-row.ts';

type Body = BodyOf<typeof contract.placeOrder>;
type Decided = Pick<OrderDecision, 'facts' | 'sale'>;

/** Null where a proof cannot be read, too. */
export const proofOf = (
  app: Pick<App, 'tokens'>,
  { proofs }: Pick<CheckoutFacts, 'proofs'>,
  token: string | null | undefined,
): Phone | null => (token && proofs?.get(app.tokens.hashOf(token).toString('hex'))) || null;

const identify = (app: App, body: Body, { name, phone }: Checkout, { facts, sale }: Decided): Identity => {
  if (body.member_token && facts.card === null) throw new Refusal('NOT_FOUND');
  return identityOf({
    typed: { name, phone },
    card: facts.card,
    known: facts.known,
    change: body.identity_change ?? null,
    otpRequired: sale.branch.otpRequired,
    provenPhone: proofOf(app, facts, body.device_token),
    provenContact: proofOf(app, facts, body.contact_device_token),
    saveAddress: body.save_address ?? null,
    channel: body.channel,
  });
};

const asksForProof = (thrown: unknown): boolean =>
  thrown instanceof Refusal &&
  ['PHONE_NOT_VERIFIED', 'CONTACT_VERIFICATION_REQUIRED'].includes(thrown.refusal);

/** A guest whose proof cannot be read is not asked for another one: the order is refused for now where it needs one. */
export const identified = (
  app: App,
  body: Body,
  checkout: Checkout,
  decided: Decided,
): { readonly identity: Identity; readonly redemption: Redemption | null } => {
  try {
    const identity = identify(app, body, checkout, decided);
    return { identity, redemption: redemptionOf(body, identity, decided.facts) };
  } catch (thrown) {
    throw decided.facts.proofs === null && asksForProof(thrown) ? new Refusal('UNAVAILABLE') : thrown;
  }
};
