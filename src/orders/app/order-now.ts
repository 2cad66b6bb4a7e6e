/** GET /public/order-now/{member_token} (Decisions 8, 11, Order-now). */
import type { HeadersOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/order-again.ts';
import { addressReply } from '../../customers/app/address.ts';
import { addressesOf, type StoredAddress } from '../../customers/app/shared.ts';
import { deliveryTo, type DeliveryParts } from '../../delivery/app/delivery.ts';
import { deliveryTermsOf } from '../../delivery/app/shared.ts';
import type { Delivery, DeliveryTerms } from '../../delivery/domain/delivery.ts';
import { proofIn } from '../../identity/app/otp.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { firstWord } from '../../kernel/names.ts';
import { maskPhone, type Phone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { memberOfToken, type Member } from '../../loyalty/app/member.ts';
import { pictureAddress } from '../../pictures/domain/picture.ts';
import type { App } from '../../platform/app/app.ts';
import type { LookupLimit } from '../../platform/app/limits/lookup-limit.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import { branchesOf, brandOf } from '../../shops/app/shared.ts';
import type { Branch, OnlineChannel } from '../../shops/domain/shop.ts';
import { faultOfAddress, faultOfBranch } from '../domain/order-now.ts';
import { lastProvenOrder, type LastOrder } from '../store/order-again.ts';

type Context = ReplyOf<typeof contract.orderNow>;
type Full = NonNullable<Context['full']>;
type Branches = ReadonlyMap<Uuid, Branch>;

/** Decisions 11. */
const MAX_ADDRESSES = 8;

type TermsFor = (branch: Branch, channel: OnlineChannel) => Promise<DeliveryTerms | null>;

/** Reads the terms of a branch and channel once. */
const termsReader = (db: DeliveryParts['db']): TermsFor => {
  const known = new Map<string, DeliveryTerms | null>();
  return async ({ orgId, id }, channel) => {
    const key = `${id} ${channel}`;
    const terms =
      known.get(key) ?? (known.has(key) ? null : await deliveryTermsOf(db.kysely, orgId, id, channel));
    known.set(key, terms);
    return terms;
  };
};

/** Null where the branch is gone or does not offer the channel. */
const deliveryToAddress = async (
  parts: DeliveryParts,
  { branches, termsFor }: { readonly branches: Branches; readonly termsFor: TermsFor },
  { branch_id: branchId, channel, lat, lng }: StoredAddress,
): Promise<Delivery | null> => {
  const branch = branches.get(branchId ?? '');
  const terms = branch === undefined ? null : await termsFor(branch, channel);
  if (branch === undefined || terms === null) return null;
  const place = lat === null || lng === null ? null : { lat, lng };
  return (await deliveryTo(parts, { branch, terms }, channel, place)).delivery;
};

/** One after another, so that a guest with many addresses takes one connection. */
const fullAddresses = async (
  parts: DeliveryParts,
  branches: Branches,
  addresses: readonly StoredAddress[],
): Promise<Full['addresses']> => {
  const known = { branches, termsFor: termsReader(parts.db) };
  const replies: Full['addresses'][number][] = [];
  for (const address of addresses) {
    const fault = faultOfAddress(await deliveryToAddress(parts, known, address));
    replies.push({ ...addressReply(address), stale: fault !== null, stale_reason: fault });
  }
  return replies;
};

const lastBranch = (app: App, branches: Branches, last: LastOrder): NonNullable<Full['last_branch']> => {
  const fault = faultOfBranch(branches.get(last.branchId) ?? null, last.channel, app.clock.now());
  return {
    ...{ id: last.branchId, name: last.branchName, name_translations: last.branchNameTranslations },
    ...{ channel: last.channel, stale: fault !== null, stale_reason: fault },
  };
};

const paymentHint = (last: LastOrder | null): 'cash' | 'card' | null =>
  last?.paymentHint === 'cash' || last?.paymentHint === 'card' ? last.paymentHint : null;

/** Measures distances, so it runs in no transaction. */
const fullContext = async (
  app: App,
  roads: App['roads'],
  { orgId, customerId, name, language }: Member,
  { phone, last }: { readonly phone: Phone; readonly last: LastOrder | null },
): Promise<Full> => {
  const { kysely } = app.db;
  const branches: Branches = new Map((await branchesOf(kysely, orgId)).map((branch) => [branch.id, branch]));
  const addresses = await addressesOf(kysely, orgId, customerId, MAX_ADDRESSES);
  return {
    ...{ customer_id: customerId, name, phone, locale: language },
    addresses: await fullAddresses({ db: app.db, clock: app.clock, roads }, branches, addresses),
    last_branch: last && lastBranch(app, branches, last),
    last_payment_hint: paymentHint(last),
  };
};

export const orderNow =
  (app: App, lookups: LookupLimit) =>
  async ({
    path,
    headers,
    caller,
  }: {
    path: PathOf<typeof contract.orderNow>;
    headers: HeadersOf<typeof contract.orderNow>;
    caller: JobContext;
  }): Promise<Context> => {
    const member = await memberOfToken(app, path.member_token);
    const { orgId, customerId, phone, name } = member;
    const brand = await brandOf(app.db.kysely, orgId);
    if (brand === null || phone === null) throw new Refusal('NOT_FOUND');
    const proof = await proofIn(app, headers['x-device-token']);
    const last = await lastProvenOrder(app.db.kysely, orgId, customerId);
    // Masked, too, where the proof cannot be read.
    const isProven = proof.phone === phone;
    return {
      verify_required: !isProven,
      ...{ org_id: orgId, org_name: brand.name, org_name_translations: brand.nameTranslations },
      ...{ org_slug: brand.slug, first_name: firstWord(name), phone_hint: maskPhone(phone) },
      ...(isProven
        ? { full: await fullContext(app, lookups.on(app.roads, caller.client), member, { phone, last }) }
        : {}),
      last_branch_name: last?.branchName ?? null,
      logo_url: pictureAddress(app.baseUrl, brand.logoUrl, brand.logoPictureId),
    };
  };
