import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/otp.ts';
import type { BudgetLine } from '../../messaging/domain/budget.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import {
  beginSending,
  CODE_COUNT,
  CODE_PAUSE_MS,
  codeOf,
  tryFailed,
  mayRequest,
  mayTry,
  readCode,
  sendingFailed,
  sendingSucceeded,
  trySucceeded,
} from '../domain/otp.ts';
import { never, type Unsent } from '../../messaging/domain/outbox.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { markOwnerKnown } from '../../messaging/app/shared.ts';
import { addDeviceToken, lockOtp, phonesProven, saveOtp } from '../store/otp.ts';
import type { App } from '../../platform/app/app.ts';
import type { EventAggregator } from '../../platform/app/event-aggregator.ts';
import {
  budgetLines,
  refundIn,
  recordAlerts,
  spendIn,
  type SpendResult,
} from '../../messaging/app/message-budget.ts';

/** Decisions 10. */
const DEVICE_TOKEN_MS = 90 * 24 * 60 * 60 * 1000;

const PURPOSE = 'one-time code';

export const NO_PHONE = {
  problem: 'must be a mobile phone number, of Egypt or of a country that is served',
  arabic: 'رقم الموبايل غير صحيح أو من دولة غير مدعومة',
} as const;

/** Throws INVALID_INPUT with the field's path. */
export const phoneIn = (app: Pick<App, 'phoneCountries'>, text: string, path: string): Phone => {
  const phone = parsePhone(text, app.phoneCountries);
  if (phone !== null) return phone;
  throw invalidInput({ path, ...NO_PHONE });
};

const tooMany = (waitSeconds: number): Refusal =>
  new Refusal('RATE_LIMITED', { retry_after_seconds: waitSeconds });

const justSent = (waitSeconds: number): Refusal =>
  new Refusal(
    'RATE_LIMITED',
    { retry_after_seconds: waitSeconds },
    { extraFields: { resend_after_seconds: waitSeconds } },
  );

/**
 * The refusal of a code that could not be sent (Decisions 10: the provider's error codes decide retry or
 * refusal), with `Retry-After` only if a retry may help (Decisions 5). The reason is for the log.
 */
const unsent = ({ again, waitMs, reason }: Unsent): Refusal => {
  const wait = waitMs === null ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) };
  const refusal = again === 'never' ? 'CODE_NOT_SENT' : 'UNAVAILABLE';
  return new Refusal(refusal, {}, { cause: new Error(reason), ...wait });
};

const UNLIMITED: SpendResult = { count: 1, waitMs: 0, isClientLimited: false, alerts: [] };

const boundTo = (phone: Phone, code: string): string => `${phone} ${code}`;

interface OtpRequest {
  readonly body: BodyOf<typeof contract.requestOtp>;
  readonly caller: { readonly client: string; readonly language: Language | null };
}

/** Empty if unlimited. Throws CODE_COUNTRY_NOT_SERVED. */
const linesOfCode = ({ messageBudgets }: App, phone: Phone, client: string): readonly BudgetLine[] => {
  if (messageBudgets === null) return [];
  const lines = budgetLines(messageBudgets, { phone, orgId: null, client });
  if (lines === null) throw new Refusal('CODE_COUNTRY_NOT_SERVED');
  return lines;
};

interface Begun {
  readonly spent: SpendResult;
  readonly at: Instant;
}

/** Stores that a code is being sent, and spends its budgets. Throws RATE_LIMITED for the phone. */
const begin = (app: App, phone: Phone, id: Uuid, lines: readonly BudgetLine[]): Promise<Begun> =>
  app.db.tx(async (tx) => {
    const now = app.clock.now();
    const state = await lockOtp(tx, phone, now);
    const decision = mayRequest(state, now);
    if (!decision.may)
      throw decision.isCodeOut ? justSent(decision.waitSeconds) : tooMany(decision.waitSeconds);
    const spent = lines.length === 0 ? UNLIMITED : await spendIn(tx, lines, now);
    if (spent.waitMs === 0) await saveOtp(tx, phone, beginSending(state, id, now), now);
    return { spent, at: now };
  });

/** Called after the commit, so that the alerts are stored. */
const refuseSpent = (app: App, { waitMs, isClientLimited, alerts }: SpendResult, client: string): void => {
  recordAlerts(app, alerts, client);
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  throw isClientLimited ? tooMany(retryAfterSeconds) : new Refusal('CODES_SPENT', {}, { retryAfterSeconds });
};

/**
 * POST /public/otp/request. Two concurrent requests for one phone send one code; the second must wait. A code
 * that cannot be sent is 503, and is not counted.
 */
export const requestOtp =
  (app: App) =>
  async ({ body, caller }: OtpRequest): Promise<ReplyOf<typeof contract.requestOtp>> => {
    const phone = phoneIn(app, body.phone, 'phone');
    app.codeCounts.add('asked');
    if (!app.messenger.isReady) {
      app.codeCounts.add('failed');
      throw unsent(never('no sender of messages is set up'));
    }
    const id = app.random.uuid();
    const lines = linesOfCode(app, phone, caller.client);
    const begun = await begin(app, phone, id, lines);
    refuseSpent(app, begun.spent, caller.client);
    const code = codeOf(app.random.below(CODE_COUNT));
    const outcome = await app.messenger.sendCode({ phone, code, language: caller.language ?? 'ar' });
    await app.db.tx(async (tx) => {
      const now = app.clock.now();
      const state = await lockOtp(tx, phone, now);
      const hash = app.tokens.keyedHash(PURPOSE, boundTo(phone, code)).toString('hex');
      await saveOtp(
        tx,
        phone,
        outcome.sent ? sendingSucceeded(state, id, hash, now) : sendingFailed(state, id),
        now,
      );
      if (!outcome.sent && lines.length > 0) await refundIn(tx, lines, begun.at, now);
    });
    app.codeCounts.add(outcome.sent ? 'sent' : 'failed');
    if (!outcome.sent) throw unsent(outcome);
    return { sent: true, resend_after_seconds: CODE_PAUSE_MS / 1000 };
  };

interface OtpVerify {
  readonly body: BodyOf<typeof contract.verifyOtp>;
  readonly caller: { readonly client: string };
}

/**
 * POST /public/otp/verify. Each try is counted under the phone's row lock, so that parallel guesses are
 * counted. Every wrong input gives the same refusal after the same work.
 */
export const verifyOtp =
  (app: App, tally: EventAggregator) =>
  async ({ body, caller }: OtpVerify): Promise<ReplyOf<typeof contract.verifyOtp>> => {
    const phone = phoneIn(app, body.phone, 'phone');
    const code = readCode(body.code) ?? '';
    const token = await app.db.tx(async (tx) => {
      const now = app.clock.now();
      const state = await lockOtp(tx, phone, now);
      const decision = mayTry(state, now);
      if (!decision.may && decision.waitSeconds !== null) return decision.waitSeconds;
      const hash = Buffer.from(decision.may ? decision.hash : '', 'hex');
      const isRight = app.tokens.isKeyedHash(hash, PURPOSE, boundTo(phone, code));
      const next = !decision.may ? state : isRight ? trySucceeded(state) : tryFailed(state, now);
      await saveOtp(tx, phone, next, now);
      if (!isRight) return null;
      const made = app.tokens.make('device');
      const expiresAt = now + DEVICE_TOKEN_MS;
      await addDeviceToken(tx, { hash: app.tokens.hashOf(made), phone, issuedAt: now, expiresAt });
      await markOwnerKnown(tx, phone, now);
      return made;
    });
    app.codeCounts.add(typeof token === 'string' ? 'verified' : 'refused');
    if (typeof token === 'string') return { device_token: token };
    if (token !== null) throw tooMany(token);
    tally.record('code_wrong', { client: caller.client });
    // Thrown outside the transaction, which would otherwise roll the count back.
    throw new Refusal('OTP_INVALID');
  };

type Proving = Pick<App, 'db' | 'clock' | 'tokens'>;
type DeviceToken = string | null | undefined;

/** The phone that each device token proves now, in order; null if none. Throws UNAVAILABLE where one cannot be read. */
export const provenPhones = async (
  app: Proving,
  ...tokens: readonly DeviceToken[]
): Promise<readonly (Phone | null)[]> => {
  const hashes = tokens.map((token) => (token ? app.tokens.hashOf(token) : null));
  const known = await phonesProven(
    app.db.kysely,
    hashes.filter((hash) => hash !== null),
    app.clock.now(),
  );
  if (known === null) throw new Refusal('UNAVAILABLE');
  return hashes.map((hash) => (hash === null ? null : (known.get(hash.toString('hex')) ?? null)));
};

export interface Proof {
  /** Null: none is proven, as far as is known. */
  readonly phone: Phone | null;
  /** False: the node of the token is silent, so that nobody knows whether it proves a phone. */
  readonly isHeard: boolean;
}

/** For what a guest may do without proof, too. `refuseUnproven` where one is needed. */
export const proofIn = async (app: Proving, token: DeviceToken): Promise<Proof> => {
  const hash = token ? app.tokens.hashOf(token) : null;
  const known = await phonesProven(app.db.kysely, hash === null ? [] : [hash], app.clock.now());
  return {
    phone: (hash !== null && known?.get(hash.toString('hex'))) || null,
    isHeard: known !== null,
  };
};

/** A guest whose proof cannot be read is not asked for another one: the request is refused for now. */
export const refuseUnproven = ({ isHeard }: Pick<Proof, 'isHeard'>): never => {
  throw new Refusal(isHeard ? 'PHONE_NOT_VERIFIED' : 'UNAVAILABLE');
};
