import { later, type AfterTry, type Outcome, type OutboxKind, type OutboxRow } from '../../domain/outbox.ts';
import { withTimeout } from '../../../platform/app/background-tasks.ts';
import type { Log, Random, Timers } from '../../../ports.ts';
import type { ClaimedRow } from '../../store/outbox.ts';

export type RowOf<Kind extends OutboxKind> = ClaimedRow & Extract<OutboxRow, { kind: Kind }>;

export type Senders = { readonly [Kind in OutboxKind]: (row: RowOf<Kind>) => Promise<Outcome> };

const send = (row: ClaimedRow, senders: Senders): Promise<Outcome> => {
  switch (row.kind) {
    case 'message':
      return senders.message(row);
    case 'webhook':
      return senders.webhook(row);
    case 'wallet_one':
      return senders.wallet_one(row);
    case 'wallet_two':
      return senders.wallet_two(row);
  }
};

const SEND_MS = 20_000;

/** Never rejects: a sender that throws or does not answer gives a `later` outcome. */
export const attempt = async (
  row: ClaimedRow,
  { senders, timers, log }: { readonly senders: Senders; readonly timers: Timers; readonly log: Log },
): Promise<Outcome> => {
  try {
    return await withTimeout(
      timers,
      SEND_MS,
      send(row, senders),
      later(`no answer within ${SEND_MS / 1_000} s`),
    );
  } catch (fault) {
    const { name, message } = fault instanceof Error ? fault : { name: 'a fault', message: '' };
    log.warn({ kind: row.kind, id: row.id, fault: name, reason: message }, 'a sender of the outbox failed');
    return later(`not sent: ${name}`);
  }
};

/** 0 to 1. */
export const jitterOf = (random: Random): number => random.below(1_001) / 1_000;

export const logParked = (
  log: Log,
  { kind, id, orgId }: Pick<ClaimedRow, 'kind' | 'id' | 'orgId'>,
  after: AfterTry,
): void => {
  if (after.status === 'parked')
    log.warn({ kind, id, org_id: orgId, reason: after.reason }, 'parked in the outbox');
};
