/** Webhooks: addresses of a shop's own systems, their secrets, and sending events to them. */
import { createHash, createHmac } from 'node:crypto';
import type { WebhookAnswer, WebhookPoster } from '../../ports.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { never, obsolete, uncalled, type Outcome, type WebhookRow } from '../domain/outbox.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { eventBody, MAX_TARGETS, signedText, webhookUrl, writtenSecret } from '../domain/webhook.ts';
import { recordAudit, recordUnlogged, type AuditEvent } from '../../platform/app/audit.ts';
import { replay, type ClaimedRow } from '../store/outbox.ts';
import { backlogs, type Backlog } from '../store/outbox-size.ts';
import { parkWaiting } from '../store/parking.ts';
import {
  addTarget,
  lockTargets,
  removeTarget,
  saveSecret,
  saveTry,
  switchTarget,
  targetOf,
  targetsOf,
  type SignedTarget,
  type WebhookTarget,
} from '../store/webhook.ts';
import type { App } from '../../platform/app/app.ts';
import { demandOpen } from '../../platform/app/commit.ts';

export type { WebhookTarget } from '../store/webhook.ts';

export type WebhookParts = Pick<App, 'db' | 'clock' | 'random' | 'tokens'>;

/** For whoever adds or tries an address. */
export type WebhookToolParts = WebhookParts & Pick<App, 'realTime' | 'webhookPoster'>;

export type Requester = Pick<AuditEvent, 'staffId' | 'deviceId'>;

// ── Secrets ─────────────────────────────────────────────────────────────────────────────────────

const PURPOSE = 'webhook';

/** Each generation of an address has its own secret, which is derived and not stored. */
const derivationInput = (id: Uuid, generation: number): string => `${id}\n${generation}`;

const sha256 = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest();

const encodeSecret = (secret: Uint8Array): string => writtenSecret(Buffer.from(secret).toString('base64'));

const newSecret = ({ tokens }: Pick<App, 'tokens'>, id: Uuid, generation: number) => {
  const derived = tokens.derived(PURPOSE, derivationInput(id, generation));
  return { generation, secretHash: sha256(derived), secret: encodeSecret(derived) };
};

/** The value of `webhook-signature`. */
export const signatureOf = (secret: Uint8Array, id: string, sentAt: number, body: string): string =>
  `v1,${createHmac('sha256', secret)
    .update(signedText(id, sentAt, body))
    .digest('base64')}`;

// ── Sending ─────────────────────────────────────────────────────────────────────────────────────

/** The body of GET /staff/orders/{id}; null if there is no such order. */
export type OrderReply = (orgId: Uuid, orderId: Uuid) => Promise<object | null>;

export interface WebhookSenderParts extends WebhookToolParts {
  readonly orderReply: OrderReply;
}

const SWITCHED_OFF = 'the address is switched off';

interface Event {
  readonly id: Uuid;
  readonly body: string;
}

type PostParts = Pick<App, 'tokens' | 'realTime' | 'webhookPoster'>;

const post = async (
  { tokens, realTime, webhookPoster }: PostParts,
  { id: targetId, generation, secretHash, url }: SignedTarget,
  { id, body }: Event,
): Promise<WebhookAnswer> => {
  const secret = tokens.rederived(PURPOSE, derivationInput(targetId, generation), secretHash);
  if (secret === null) {
    const reason = 'its secret was made with a key that SECRET_KEY no longer has; rotate it';
    return { outcome: uncalled(reason), status: null };
  }
  // Receivers refuse a request whose time is not theirs, so that it is real also under CLOCK_START.
  const sentAt = Math.floor(realTime.now() / 1_000);
  return webhookPoster.post({
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Ahwa-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(sentAt),
      'webhook-signature': signatureOf(secret, id, sentAt, body),
    },
    body,
  });
};

const reasonOf = ({ outcome, status }: WebhookAnswer): string =>
  outcome.sent ? `answered ${status ?? 'nothing'}` : outcome.reason;

/** Posts an event and stores what became of it, for those who look at the address, unless it was not called. */
const deliver = async (
  parts: PostParts & Pick<App, 'db' | 'clock'>,
  orgId: Uuid,
  target: SignedTarget,
  event: Event,
): Promise<WebhookAnswer> => {
  const answer = await post(parts, target, event);
  if (!answer.outcome.sent && 'isTry' in answer.outcome) return answer;
  const last = { triedAt: parts.clock.now(), reason: reasonOf(answer) };
  // A delivered event is not sent again because this was not stored.
  await saveTry(parts.db.kysely, orgId, target.id, last).catch(() => undefined);
  return answer;
};

/**
 * Posts an event. The body is made at each try, the id stays the same. An address that answers "gone" is
 * switched off.
 */
export const webhookSender =
  ({ orderReply, ...parts }: WebhookSenderParts) =>
  async (row: ClaimedRow & WebhookRow): Promise<Outcome> => {
    const { db } = parts;
    const target = await targetOf(db.kysely, row.orgId, row.targetId);
    if (target === null) return obsolete('the address was removed');
    if (!target.isActive) return uncalled(SWITCHED_OFF);
    const data =
      row.payload.type === 'security.wrong_tries'
        ? { org_id: row.orgId, tries: row.payload.tries }
        : await orderReply(row.orgId, row.subjectId);
    if (data === null) return obsolete('the order is gone');
    const event = { id: row.id, body: eventBody(row.payload, row.createdAt, data) };
    const { outcome } = await deliver(parts, row.orgId, target, event);
    if (outcome.sent || outcome.again !== 'gone') return outcome;
    const { reason } = outcome;
    await db.tx((tx) => setActive(tx, parts, row.orgId, target.id, false, {}, { reason }));
    return never(`${reason}: ${SWITCHED_OFF}`);
  };

/** A test event and what became of it. */
export interface WebhookTrial {
  readonly target: WebhookTarget;
  /** Null: no answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly isDelivered: boolean;
  readonly reason: string;
}

const trialOf = async (parts: WebhookToolParts, orgId: Uuid, target: SignedTarget): Promise<WebhookTrial> => {
  const type = 'webhook.test';
  const body = eventBody({ type }, parts.clock.now(), { org_id: orgId });
  const began = parts.realTime.now();
  const answer = await deliver(parts, orgId, target, { id: parts.random.uuid(), body });
  const ms = parts.realTime.now() - began;
  return { target, status: answer.status, ms, isDelivered: answer.outcome.sent, reason: reasonOf(answer) };
};

/**
 * Sends a test event to an address, whether it is on or off, or to all that are on. It is in no outbox, and an answer
 * 410 switches nothing off. Throws NOT_FOUND.
 */
export const testWebhooks = async (
  parts: WebhookToolParts,
  orgId: Uuid,
  text: string | null,
): Promise<WebhookTrial[]> => {
  const all = await targetsOf(parts.db.kysely, orgId);
  const id = text === null ? null : parseUuid(text);
  const chosen = all.filter((target) => (text === null ? target.isActive : target.id === id));
  if (text !== null && chosen.length === 0) throw new Refusal('NOT_FOUND');
  const trials: WebhookTrial[] = [];
  for (const target of chosen) trials.push(await trialOf(parts, orgId, target));
  return trials;
};

// ── Addresses ───────────────────────────────────────────────────────────────────────────────────

const webhookEvent = (
  orgId: Uuid,
  action: string,
  by: Requester,
  more: Pick<AuditEvent, 'subjectId' | 'detail'>,
): AuditEvent => ({ ...by, orgId, action, subject: 'webhook', ...more });

export interface NewSecret {
  readonly id: Uuid;
  readonly url: string;
  readonly secret: string;
}

/** Adds an address for events from now on. Throws INVALID_INPUT. */
export const addWebhook = async (
  parts: WebhookParts & Pick<App, 'webhookPoster'>,
  orgId: Uuid,
  text: string,
  by: Requester = {},
): Promise<NewSecret> => {
  const url = webhookUrl(text, parts.webhookPoster.allow);
  if (typeof url !== 'string') throw invalidInput({ path: 'url', ...url });
  const id = parts.random.uuid();
  const { secret, secretHash } = newSecret(parts, id, 1);
  const now = parts.clock.now();
  await parts.db.tx(async (tx) => {
    const others = await lockTargets(tx, orgId);
    if (others.some((other) => other.url === url))
      throw invalidInput({ path: 'url', problem: 'is there already', arabic: 'موجود بالفعل' });
    if (others.length >= MAX_TARGETS)
      throw invalidInput({
        path: 'url',
        problem: `is one too many; a shop has at most ${MAX_TARGETS}`,
        arabic: `يزيد على الحد؛ لكل محل ${MAX_TARGETS} عناوين على الأكثر`,
      });
    await addTarget(tx, orgId, { id, url, secretHash, createdAt: now });
    const { origin } = new URL(url);
    await recordUnlogged(
      parts,
      tx,
      webhookEvent(orgId, 'webhook.added', by, { subjectId: id, detail: { origin } }),
    );
  });
  return { id, url, secret };
};

/** An address with the counts of its events that have not arrived. */
export interface WatchedTarget extends WebhookTarget, Omit<Backlog, 'targetId'> {}

export const listWebhooks = async ({ db }: Pick<App, 'db'>, orgId: Uuid): Promise<WatchedTarget[]> => {
  const left = await backlogs(db.kysely, orgId);
  return (await targetsOf(db.kysely, orgId)).map((target) => {
    const { waiting, parked } = left.find(({ targetId }) => targetId === target.id) ?? NO_BACKLOG;
    return { ...target, waiting, parked };
  });
};

const NO_BACKLOG = { waiting: 0, parked: 0 };

/** Throws NOT_FOUND. */
const lockTarget = async (
  tx: Parameters<typeof lockTargets>[0],
  orgId: Uuid,
  text: string,
): Promise<WebhookTarget> => {
  const id = parseUuid(text);
  const target = (await lockTargets(tx, orgId)).find((candidate) => candidate.id === id);
  if (target === undefined) throw new Refusal('NOT_FOUND');
  return target;
};

/** Removes an address and drops its unsent events. Throws NOT_FOUND. */
export const removeWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  by: Requester = {},
): Promise<WebhookTarget> =>
  parts.db.tx(async (tx) => {
    const target = await lockTarget(tx, orgId, id);
    const now = parts.clock.now();
    await removeTarget(tx, orgId, target.id, now);
    await recordUnlogged(parts, tx, webhookEvent(orgId, 'webhook.removed', by, { subjectId: target.id }));
    return target;
  });

/** No effect if already in that state; parks the waiting events of an address that is switched off. */
const setActive = async (
  tx: Parameters<typeof switchTarget>[0],
  parts: WebhookParts,
  orgId: Uuid,
  id: Uuid,
  isOn: boolean,
  by: Requester,
  detail: AuditEvent['detail'] = {},
): Promise<void> => {
  const now = parts.clock.now();
  if (!(await switchTarget(tx, orgId, id, isOn))) return;
  if (!isOn) await parkWaiting(tx, { kind: 'webhook', targetId: id, since: now, reason: SWITCHED_OFF }, now);
  const action = isOn ? 'webhook.switched_on' : 'webhook.switched_off';
  await recordAudit(parts, tx, webhookEvent(orgId, action, by, { subjectId: id, detail }));
};

/**
 * Switches an address on or off. While off it gets no new events; parked ones can be replayed once it is on.
 * Throws NOT_FOUND.
 */
export const switchWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  isOn: boolean,
  by: Requester = {},
): Promise<WebhookTarget> =>
  parts.db.tx(async (tx) => {
    await demandOpen(tx, orgId);
    const target = await lockTarget(tx, orgId, id);
    await setActive(tx, parts, orgId, target.id, isOn, by);
    return { ...target, isActive: isOn };
  });

/** Replaces the secret; the old one is no longer used. Throws NOT_FOUND. */
export const rotateWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  by: Requester = {},
): Promise<NewSecret> =>
  parts.db.tx(async (tx) => {
    const target = await lockTarget(tx, orgId, id);
    const { secret, ...stored } = newSecret(parts, target.id, target.generation + 1);
    await saveSecret(tx, orgId, target.id, stored);
    await recordUnlogged(parts, tx, webhookEvent(orgId, 'webhook.rotated', by, { subjectId: target.id }));
    return { id: target.id, url: target.url, secret };
  });

/**
 * Sends events again under their old ids: the parked ones, and with `since` also sent ones created at or
 * after it. Returns the count.
 */
export const replayWebhooks = (
  parts: WebhookParts,
  orgId: Uuid,
  since: Instant | null,
  by: Requester = {},
): Promise<number> =>
  parts.db.tx(async (tx) => {
    const now = parts.clock.now();
    const count = await replay(tx, orgId, { kind: 'webhook', since }, now);
    if (count === 0) return count;
    await recordUnlogged(
      parts,
      tx,
      webhookEvent(orgId, 'webhook.replayed', by, { detail: { count, since } }),
    );
    return count;
  });

/** The text that an operator sees for a refusal above; null for any other error. */
export const webhookSentence = (fault: unknown): string | null => {
  if (!(fault instanceof Refusal)) return null;
  const [first] = fault.faults;
  return first === undefined ? 'This shop has no webhook with this id.' : `The address ${first.problem}.`;
};

declare module '../../platform/app/app.ts' {
  interface App {
    readonly webhookPoster: WebhookPoster;
  }
}
