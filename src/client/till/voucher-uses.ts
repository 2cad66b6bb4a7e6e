/**
 * What a device spent on vouchers (Decisions 13). An event leaves the queue when the server has it, and its voucher may be
 * good for longer: so the device keeps the uses by themselves, until their vouchers have expired.
 */
import type { Instant } from '../../kernel/time.ts';
import { signedText, voucherOf, type Voucher } from '../../loyalty/domain/voucher.ts';
import type { Row } from '../../sync/contract/rows.ts';
import { isRecord, type QueuedEvent } from './queue/event.ts';

type Rewards = readonly Pick<
  NonNullable<Row<'branch_settings'>['loyalty']>['rewards'][number],
  'id' | 'cost'
>[];

/** What one sale spent. */
interface Use {
  readonly voucherId: string;
  readonly saleId: string;
  readonly cost: number;
  readonly until: Instant;
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Of the rewards of an event, as it is sent. */
const costOf = (given: unknown, rewards: Rewards): number => {
  const costs = new Map(rewards.map(({ id, cost }) => [id, cost]));
  return listIn(given).reduce<number>((sum, one) => {
    const { reward_id: id, units } = isRecord(one) ? one : {};
    return sum + (costs.get(String(id)) ?? 0) * (typeof units === 'number' ? units : 0);
  }, 0);
};

const isUse = (value: unknown): value is Use =>
  isRecord(value) &&
  typeof value['voucherId'] === 'string' &&
  typeof value['saleId'] === 'string' &&
  typeof value['cost'] === 'number' &&
  typeof value['until'] === 'number';

const usesIn = (saved: string | null): readonly Use[] => {
  if (saved === null) return [];
  try {
    return listIn(JSON.parse(saved)).filter(isUse);
  } catch {
    return [];
  }
};

export class VoucherUses {
  /** By sale. */
  readonly #uses: Map<string, Use>;

  /** `saved`: what `saved()` gave before. */
  constructor(saved: string | null = null) {
    this.#uses = new Map(usesIn(saved).map((use) => [use.saleId, use]));
  }

  /** Of an event that the device makes, or that waits in its queue; the same event counts once. */
  add({ data }: Pick<QueuedEvent, 'data'>, rewards: Rewards): void {
    const { voucher: text, sale_id: saleId } = data;
    const voucher = typeof text === 'string' ? voucherOf(signedText(text)?.claims) : null;
    if (voucher === null || typeof saleId !== 'string') return;
    const { id: voucherId, expiresAt: until } = voucher;
    this.#uses.set(saleId, { voucherId, saleId, cost: costOf(data['rewards'], rewards), until });
  }

  /** Points or visits of the voucher that this device may still give; never below 0. */
  left({ id, limit }: Pick<Voucher, 'id' | 'limit'>): number {
    const spent = [...this.#uses.values()].reduce(
      (sum, { voucherId, cost }) => sum + (voucherId === id ? cost : 0),
      0,
    );
    return Math.max(0, limit - spent);
  }

  /** As one text, to be kept; without what has expired. */
  saved(now: Instant): string {
    return JSON.stringify([...this.#uses.values()].filter(({ until }) => until > now));
  }
}
