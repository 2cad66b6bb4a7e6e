import type { Static } from 'typebox';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/dining-table.ts';
import type { PublicTable } from '../contract/dining-table.ts';
import { branchScope, shopScope } from '../../kernel/change.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { branchById, tableById } from '../../shops/app/shared.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';

/** GET /public/tables/{id}. `accepting`: the branch takes orders from table QR codes. */
export const getTable =
  (app: App) =>
  ({ path }: { path: PathOf<typeof contract.getTable> }): Promise<Answer<Static<typeof PublicTable>>> =>
    app.db.snapshot(async (tx) => {
      const table = await tableById(tx, path.id);
      const branch = table === null ? null : await branchById(tx, table.branchId);
      if (table === null || branch === null) throw new Refusal('NOT_FOUND');
      const version = await versionOf(tx, table.orgId);
      return {
        body: {
          table_id: table.id,
          branch_id: branch.id,
          org_id: branch.orgId,
          label: table.label,
          branch_name: branch.name,
          accepting: branch.acceptsTableOrders,
          bill: null,
        },
        orgId: branch.orgId,
        scopes: [shopScope, branchScope(branch.id)],
        version,
        validUntil: null,
      };
    });
