/** Tills and their reports as the staff read them (Decisions 12, Tills). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { invalidInput } from '../../../kernel/refusal.ts';
import type { App } from '../../../platform/app/app.ts';
import type { QueryOf } from '../../../platform/contract/endpoint.ts';
import { MAX_LISTED } from '../../../platform/contract/lists.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { ownBranch } from '../../../staff/app/own-branch.ts';
import type * as contract from '../../contract/tills.ts';
import { storedFigures, tillFigures, type TillTakings, type Voids } from '../../domain/till.ts';
import { lateOfTills } from '../../store/late.ts';
import { figuresOfTill, salePlace } from '../../store/sale.ts';
import { movementsOf, tillById, tillsOf, type StoredTill } from '../../store/till.ts';
import { reportReply, tillReply, type ReportReply, type TillReply } from '../till-reply.ts';
import { ownTill, type TillRequest } from './till.ts';

type Tx = Kysely<Database>;

const NO_TILL_HERE = {
  problem: 'is no till of this branch',
  arabic: 'ليست خزينة من خزائن هذا الفرع',
} as const;

/** GET /staff/tills. */
export const listTills =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    readonly query: QueryOf<typeof contract.listTills>;
    readonly actor: Actor;
  }): Promise<TillReply[]> => {
    const { branch_id: branchId, limit = MAX_LISTED, after = null } = query;
    await ownBranch(app, actor, branchId);
    const last = after === null ? null : await tillById(app.db.kysely, actor.orgId, after);
    if (after !== null && last?.branchId !== branchId) throw invalidInput({ path: 'after', ...NO_TILL_HERE });
    return (await tillsOf(app.db.kysely, actor.orgId, { branchId, limit, after })).map(tillReply);
  };

/** What a later topic knows of a till: the lines of tickets that its person voided while it was open. */
export type VoidsOf = (tx: Tx, orgId: Uuid, tillId: Uuid) => Promise<Voids>;

export interface TillParts {
  readonly app: App;
  readonly voidsOf: VoidsOf;
}

/** What an open till has taken so far. */
export const takingsOf = async (
  { voidsOf }: TillParts,
  tx: Tx,
  till: StoredTill,
): Promise<Omit<TillTakings, 'counted'>> => {
  const { orgId, id, branchId, openingFloat } = till;
  return {
    openingFloat,
    sales: await figuresOfTill(tx, orgId, id),
    movements: await movementsOf(tx, till),
    voids: await voidsOf(tx, orgId, id),
    methods: (await salePlace(tx, orgId, branchId))?.paymentMethods ?? [],
  };
};

export const reportOf = async (
  parts: TillParts,
  tx: Tx,
  till: StoredTill,
  maySee: boolean,
): Promise<ReportReply> => {
  if (till.zFigures !== null) {
    const figures = storedFigures(till.zFigures);
    const late = await lateOfTills(tx, till.orgId, [till.id]);
    return reportReply(till, { figures, movements: figures.movements, late });
  }
  if (!maySee) return reportReply(till, { figures: null, movements: await movementsOf(tx, till), late: [] });
  const figures = tillFigures({ ...(await takingsOf(parts, tx, till)), counted: null });
  return reportReply(till, { figures, movements: figures.movements, late: [] });
};

/** GET /staff/tills/{id}/report. */
export const getTillReport =
  (parts: TillParts) =>
  ({ path, actor }: TillRequest): Promise<ReportReply> =>
    parts.app.db.snapshot(async (tx) => {
      const till = ownTill(actor, await tillById(tx, actor.orgId, path.id));
      return reportOf(parts, tx, till, actor.permissions.includes('tills.read_expected'));
    });
