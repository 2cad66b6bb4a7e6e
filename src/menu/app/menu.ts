import type { Kysely } from 'kysely';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/menu.ts';
import { branchScope, shopScope } from '../../kernel/change.ts';
import { menuValidUntil, onSale, soldOutAt } from '../domain/menu.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { channelNextEdge, channelOpenAt, channelOpensAt, isOffered } from '../../shops/domain/shop.ts';
import type { Branch, Channel } from '../../shops/domain/shop.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { earliest, isoInstant, type Instant } from '../../kernel/time.ts';
import { hasItem, loadMenuBook } from '../store/menu.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, tableByCode } from '../../shops/app/shared.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { menuReply, soldOutReply } from './menu-reply.ts';

type MenuAnswer = Answer<ReplyOf<typeof contract.getBranchMenu>>;

/**
 * Behaviour, Menu rule 2; Decisions 2: an ordering channel must be offered, and open unless previewed.
 * Dine-in always answers. Throws CHANNEL_NOT_OFFERED and CHANNEL_CLOSED.
 */
const assertReadable = (branch: Branch, channel: Channel, preview: boolean, now: Instant): void => {
  if (channel === 'dine_in') return;
  if (!isOffered(branch, channel)) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
  if (preview || channelOpenAt(branch, channel, now)) return;
  const opensAt = channelOpensAt(branch, channel, now);
  throw new Refusal('CHANNEL_CLOSED', {
    channel,
    ...(opensAt === null ? {} : { opens_at: isoInstant(opensAt) }),
  });
};

interface MenuRequest {
  readonly branch: Branch;
  readonly channel: Channel;
  /** Whether what is sold out is listed too. */
  readonly withSoldOut: boolean;
}

const menuOf = async (
  { baseUrl, clock }: App,
  tx: Kysely<Database>,
  { branch, channel, withSoldOut }: MenuRequest,
): Promise<MenuAnswer> => {
  const now = clock.now();
  const version = await versionOf(tx, branch.orgId);
  const book = await loadMenuBook(tx, branch.orgId, branch.id);
  const point = { branchId: branch.id, zone: branch.zone, channel };
  const menu = onSale(book, point, now);
  const soldOut = withSoldOut ? soldOutAt(book, menu, point, now) : null;
  return {
    body: {
      ...menuReply(baseUrl, menu),
      ...(soldOut === null ? {} : soldOutReply(baseUrl, soldOut)),
    },
    orgId: branch.orgId,
    scopes: [shopScope, branchScope(branch.id)],
    version,
    validUntil: soldOut === null ? menuValidUntil(book, point, now) : soldOut.validUntil,
  };
};

interface BranchMenuInput {
  readonly path: PathOf<typeof contract.getBranchMenu>;
  readonly query: QueryOf<typeof contract.getBranchMenu>;
}

/**
 * GET /public/branches/{id}/menu. Throws NOT_FOUND (also if the branch or shop is switched off),
 * CHANNEL_NOT_OFFERED and CHANNEL_CLOSED. Without preview the reply expires when the channel closes.
 */
export const getBranchMenu =
  (app: App) =>
  ({ path, query }: BranchMenuInput): Promise<MenuAnswer> =>
    app.db.snapshot(async (tx) => {
      const { channel = 'dine_in', preview = false, include_unavailable: withSoldOut = false } = query;
      const now = app.clock.now();
      const branch = await branchById(tx, path.id);
      if (branch === null) throw new Refusal('NOT_FOUND');
      assertReadable(branch, channel, preview, now);
      const menu = await menuOf(app, tx, { branch, channel, withSoldOut });
      if (channel === 'dine_in' || preview) return menu;
      return { ...menu, validUntil: earliest([menu.validUntil, channelNextEdge(branch, channel, now)]) };
    });

interface TableMenuInput {
  readonly path: PathOf<typeof contract.getTableMenu>;
  readonly query: QueryOf<typeof contract.getTableMenu>;
}

/** GET /public/tables/{id}/menu: the dine-in menu of the branch. */
export const getTableMenu =
  (app: App) =>
  ({ path, query }: TableMenuInput): Promise<MenuAnswer> =>
    app.db.snapshot(async (tx) => {
      const table = await tableByCode(tx, path.id);
      const branch = table === null ? null : await branchById(tx, table.branchId);
      if (branch === null) throw new Refusal('NOT_FOUND');
      const withSoldOut = query.include_unavailable === true;
      return menuOf(app, tx, { branch, channel: 'dine_in', withSoldOut });
    });

/** Whether the shop has the item, on sale or not. */
export const isItemOf =
  (app: App) =>
  (orgId: Uuid, itemId: Uuid): Promise<boolean> =>
    hasItem(app.db.kysely, orgId, itemId);
