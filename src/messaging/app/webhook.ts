/** Webhooks: the addresses of a shop's own systems, their secrets, and sending them what happened to an order. */
import { createHash, createHmac } from 'node:crypto';
import type { WebhookPoster } from '../../ports.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { never, pointless, type Outcome, type WebhookRow } from '../domain/outbox.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { eventBody, MOST_TARGETS, signedText, webhookUrl, writtenSecret } from '../domain/webhook.ts';
import { addAudit, type AuditEntry } from '../../platform/store/audit.ts';
import { parkWaiting, replay, type ClaimedRow } from '../store/outbox.ts';
import {
  addTarget,
  lockTargets,
  removeTarget,
  saveSecret,
  switchTarget,
  targetOf,
  targetsOf,
  type WebhookTarget,
} from '../store/webhook.ts';
import type { App } from '../../platform/app/app.ts';

export type { WebhookTarget } from '../store/webhook.ts';

export type WebhookParts = Pick<App, 'db' | 'clock' | 'random' | 'tokens'>;

/** Who asks for a change; nobody of the staff where it is a command of the operator's. */
export type AskedBy = Pick<AuditEntry, 'staffId' | 'deviceId'>;

// ── Secrets ─────────────────────────────────────────────────────────────────────────────────────

const PURPOSE = 'webhook';

/** Each generation of each address has a secret of its own, which can be made again and is not stored. */
const secretText = (id: Uuid, generation: number): string => `${id}\n${generation}`;

const sha256 = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest();

const asGiven = (secret: Uint8Array): string => writtenSecret(Buffer.from(secret).toString('base64'));

const newSecret = ({ tokens }: Pick<App, 'tokens'>, id: Uuid, generation: number) => {
  const secret = tokens.derived(PURPOSE, secretText(id, generation));
  return { generation, secretHash: sha256(secret), given: asGiven(secret) };
};

/** The value of `webhook-signature`. */
export const signatureOf = (secret: Uint8Array, id: string, sentAt: number, body: string): string =>
  `v1,${createHmac('sha256', secret)
    .update(signedText(id, sentAt, body))
    .digest('base64')}`;

// ── Sending ─────────────────────────────────────────────────────────────────────────────────────

/** An order as GET /staff/orders/{id} gives it; null when there is none. */
export type OrderReply = (orgId: Uuid, orderId: Uuid) => Promise<object | null>;

export interface WebhookSenderParts extends WebhookParts {
  readonly poster: WebhookPoster;
  readonly orderReply: OrderReply;
}

const SWITCHED_OFF = 'the address is switched off';

/**
 * Sends an event of the outbox; its body is made now, its id stays what it is however often it is sent. An address that
 * says that it is gone is switched off.
 */
export const webhookSender =
  ({ poster, orderReply, ...parts }: WebhookSenderParts) =>
  async (row: ClaimedRow & WebhookRow): Promise<Outcome> => {
    const { db, clock, tokens } = parts;
    const target = await targetOf(db.kysely, row.orgId, row.targetId);
    if (target === null) return pointless('the address was removed');
    if (!target.isActive) return never(SWITCHED_OFF);
    const secret = tokens.rederived(PURPOSE, secretText(target.id, target.generation), target.secretHash);
    if (secret === null)
      return never('its secret was made with a key that SECRET_KEY no longer has; rotate it');
    const data =
      row.payload.type === 'security.wrong_tries'
        ? { org_id: row.orgId, tries: row.payload.tries }
        : await orderReply(row.orgId, row.subjectId);
    if (data === null) return pointless('the order is gone');
    const body = eventBody(row.payload, row.createdAt, data);
    const sentAt = Math.floor(clock.now() / 1_000);
    const outcome = await poster.post({
      url: target.url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Ahwa-Webhooks/1',
        'webhook-id': row.id,
        'webhook-timestamp': String(sentAt),
        'webhook-signature': signatureOf(secret, row.id, sentAt, body),
      },
      body,
    });
    if (outcome.sent || outcome.again !== 'gone') return outcome;
    const { reason } = outcome;
    await db.tx((tx) => turn(tx, parts, row.orgId, target.id, false, {}, { reason }));
    return never(`${reason}: ${SWITCHED_OFF}`);
  };

// ── Addresses ───────────────────────────────────────────────────────────────────────────────────

const audited = (
  { random }: Pick<App, 'random'>,
  orgId: Uuid,
  at: Instant,
  action: string,
  by: AskedBy,
  more: Pick<AuditEntry, 'subjectId' | 'detail'>,
): AuditEntry => ({ ...by, orgId, id: random.uuid(), at, action, subject: 'webhook', ...more });

/** An address and its secret, which is told this once. */
export interface NewSecret {
  readonly id: Uuid;
  readonly url: string;
  readonly secret: string;
}

/** Adds an address; it gets what happens from now on. Throws INVALID_INPUT. */
export const addWebhook = async (
  parts: WebhookParts,
  orgId: Uuid,
  text: string,
  by: AskedBy = {},
): Promise<NewSecret> => {
  const url = webhookUrl(text);
  if (typeof url !== 'string') throw invalidInput({ path: 'url', ...url });
  const id = parts.random.uuid();
  const { given, secretHash } = newSecret(parts, id, 1);
  const now = parts.clock.now();
  await parts.db.tx(async (tx) => {
    const others = await lockTargets(tx, orgId);
    if (others.some((other) => other.url === url))
      throw invalidInput({ path: 'url', problem: 'is there already', arabic: 'موجود بالفعل' });
    if (others.length >= MOST_TARGETS)
      throw invalidInput({
        path: 'url',
        problem: `is one too many; a shop has at most ${MOST_TARGETS}`,
        arabic: `يزيد على الحد؛ لكل محل ${MOST_TARGETS} عناوين على الأكثر`,
      });
    await addTarget(tx, orgId, { id, url, secretHash, createdAt: now });
    const { origin } = new URL(url);
    await addAudit(
      tx,
      audited(parts, orgId, now, 'webhook.added', by, { subjectId: id, detail: { origin } }),
    );
  });
  return { id, url, secret: given };
};

export const listWebhooks = ({ db }: Pick<App, 'db'>, orgId: Uuid): Promise<WebhookTarget[]> =>
  targetsOf(db.kysely, orgId);

/** The address of a shop that an id names. Throws NOT_FOUND. */
const theTarget = async (
  tx: Parameters<typeof lockTargets>[0],
  orgId: Uuid,
  text: string,
): Promise<WebhookTarget> => {
  const id = parseUuid(text);
  const target = (await lockTargets(tx, orgId)).find((candidate) => candidate.id === id);
  if (target === undefined) throw new Refusal('NOT_FOUND');
  return target;
};

/** Removes an address; what has yet to go there is dropped. Throws NOT_FOUND. */
export const removeWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  by: AskedBy = {},
): Promise<WebhookTarget> =>
  parts.db.tx(async (tx) => {
    const target = await theTarget(tx, orgId, id);
    const now = parts.clock.now();
    await removeTarget(tx, orgId, target.id, now);
    await addAudit(tx, audited(parts, orgId, now, 'webhook.removed', by, { subjectId: target.id }));
    return target;
  });

/** Switches an address on or off, where it is not so already; what waits for one that is off is parked. */
const turn = async (
  tx: Parameters<typeof switchTarget>[0],
  parts: WebhookParts,
  orgId: Uuid,
  id: Uuid,
  isOn: boolean,
  by: AskedBy,
  detail: AuditEntry['detail'] = {},
): Promise<void> => {
  const now = parts.clock.now();
  if (!(await switchTarget(tx, orgId, id, isOn))) return;
  if (!isOn) await parkWaiting(tx, { kind: 'webhook', targetId: id, since: now, reason: SWITCHED_OFF }, now);
  const action = isOn ? 'webhook.switched_on' : 'webhook.switched_off';
  await addAudit(tx, audited(parts, orgId, now, action, by, { subjectId: id, detail }));
};

/**
 * Switches an address on or off. One that is off hears of nothing that happens meanwhile; what was parked for it goes
 * out once it is on and replayed. Throws NOT_FOUND.
 */
export const switchWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  isOn: boolean,
  by: AskedBy = {},
): Promise<WebhookTarget> =>
  parts.db.tx(async (tx) => {
    const target = await theTarget(tx, orgId, id);
    await turn(tx, parts, orgId, target.id, isOn, by);
    return { ...target, isActive: isOn };
  });

/** Gives an address a new secret. The one before signs nothing more, from now on. Throws NOT_FOUND. */
export const rotateWebhook = (
  parts: WebhookParts,
  orgId: Uuid,
  id: string,
  by: AskedBy = {},
): Promise<NewSecret> =>
  parts.db.tx(async (tx) => {
    const target = await theTarget(tx, orgId, id);
    const { given, ...secret } = newSecret(parts, target.id, target.generation + 1);
    await saveSecret(tx, orgId, target.id, secret);
    const now = parts.clock.now();
    await addAudit(tx, audited(parts, orgId, now, 'webhook.rotated', by, { subjectId: target.id }));
    return { id: target.id, url: target.url, secret: given };
  });

/**
 * Sends events again, with the ids they had: those that are parked, and with `since` also those that were sent, of
 * what happened from that moment on. Gives how many.
 */
export const replayWebhooks = (
  parts: WebhookParts,
  orgId: Uuid,
  since: Instant | null,
  by: AskedBy = {},
): Promise<number> =>
  parts.db.tx(async (tx) => {
    const now = parts.clock.now();
    const count = await replay(tx, orgId, { kind: 'webhook', since }, now);
    if (count === 0) return count;
    await addAudit(tx, audited(parts, orgId, now, 'webhook.replayed', by, { detail: { count, since } }));
    return count;
  });

/** What an operator is told of a refusal above; null for any other fault. */
export const webhookSentence = (fault: unknown): string | null => {
  if (!(fault instanceof Refusal)) return null;
  const [first] = fault.faults;
  return first === undefined ? 'This shop has no webhook with this id.' : `The address ${first.problem}.`;
};
