/** What the use cases of tills share: who may, what is audited, what is logged (Decisions 12, Tills). */
import type { Kysely } from 'kysely';
import { branchScope, type Change } from '../../../kernel/change.ts';
import { singleLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import type { PathOf } from '../../../platform/contract/endpoint.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { mayAtBranch } from '../../../staff/domain/staff.ts';
import type * as contract from '../../contract/tills.ts';
import { needsTill } from '../../domain/payments.ts';
import type { SalePlace } from '../../store/sale.ts';
import { tillForSale, type StoredTill } from '../../store/till.ts';

export interface TillRequest {
  readonly path: PathOf<typeof contract.getTillReport>;
  readonly actor: Actor;
}

/** A branch that takes online orders only with an open till begins or stops to take them. */
export const openOrClosed = ({ id, branchId }: Pick<StoredTill, 'id' | 'branchId'>): Change => ({
  ...{ scope: branchScope(branchId), type: 'till', id, op: 'upsert' },
});

/** Who does something with a till, and where. */
export interface AtTill {
  readonly staffId: Uuid;
  /** Null: on no paired device. */
  readonly deviceId: Uuid | null;
}

export const audited = (
  action: string,
  { staffId, deviceId }: AtTill,
  { orgId, branchId, id }: Pick<StoredTill, 'orgId' | 'branchId' | 'id'>,
) => ({ ...{ orgId, staffId, deviceId, branchId, action, subject: 'till', subjectId: id } });

/** Throws NOT_FOUND, and NOT_PERMITTED for another person's without `tills.manage`. */
export const ownTill = (actor: Actor, till: StoredTill | null): StoredTill => {
  // Also after its person has moved to another branch.
  if (till?.tellerId === actor.staffId) return till;
  if (till === null || !mayAtBranch(actor, till.branchId)) throw new Refusal('NOT_FOUND');
  if (!actor.permissions.includes('tills.manage'))
    throw new Refusal('NOT_PERMITTED', { permission: 'tills.manage' });
  return till;
};

/** The open till of the actor, which the money comes out of. Throws TILL_REQUIRED. */
export const tillOf = async (
  tx: Kysely<Database>,
  { branchId }: Pick<StoredTill, 'branchId'>,
  { needsTill: rule }: SalePlace,
  { actor, method }: { readonly actor: Actor; readonly method: string },
): Promise<Uuid | null> => {
  const tillId = await tillForSale(tx, { ...actor, branchId });
  if (tillId === null && needsTill(rule, [{ method }])) throw new Refusal('TILL_REQUIRED');
  return tillId;
};

const BLANK = { problem: 'has no visible character', arabic: 'النص فارغ' } as const;

/** Throws INVALID_INPUT. */
export const lineIn = (text: string, path: string): string => {
  const line = singleLine(text);
  if (line === null) throw invalidInput({ path, ...BLANK });
  return line;
};
