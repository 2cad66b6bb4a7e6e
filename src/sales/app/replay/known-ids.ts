/** Ids that devices have given to sales and refunds before (Decisions 13); what became a part of another one has no row. */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { hasRefund } from '../../store/refund.ts';
import { saleById } from '../../store/sale.ts';

type Context = Pick<ReplayContext, 'tx' | 'orgId' | 'becameOf'>;

export const isKnownSale = async ({ tx, orgId, becameOf }: Context, id: Uuid): Promise<boolean> =>
  (await saleById(tx, orgId, id)) !== null || (await becameOf(id)) !== null;

export const isKnownRefund = async ({ tx, orgId, becameOf }: Context, id: Uuid): Promise<boolean> =>
  (await hasRefund(tx, orgId, id)) || (await becameOf(id)) !== null;
