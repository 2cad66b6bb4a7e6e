/** QR cards of tables, for operators to print (Decisions 12, Table QR). */
import type { App } from '../../platform/app/app.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { qrDrawing } from '../../platform/app/qr.ts';
import { branchesOf, brandOf, codesOfBranch } from '../../shops/app/shared.ts';
import { cardPages } from '../domain/table-cards.ts';

export interface CardSheet {
  readonly branch: string;
  /** SVG, A4. */
  readonly pages: readonly string[];
}

const byLabel = (a: { readonly label: string }, b: { readonly label: string }): number =>
  a.label.localeCompare(b.label, 'en', { numeric: true });

/** Of all active branches that have tables, or of the one with this code. */
export const tableCards = (app: App, orgId: Uuid, branchCode: string | null): Promise<readonly CardSheet[]> =>
  app.db.snapshot(async (tx) => {
    const brand = await brandOf(tx, orgId);
    const branches = await branchesOf(tx, orgId);
    const sheets: CardSheet[] = [];
    for (const branch of branches) {
      if (branchCode !== null && branch.code !== branchCode.toUpperCase()) continue;
      const tables = [...(await codesOfBranch(tx, orgId, branch.id))].sort(byLabel);
      const cards = tables.map(({ label, publicId }) => ({
        label,
        qr: qrDrawing(new URL(`/t/${publicId}`, app.baseUrl).href),
      }));
      const look = { shop: brand?.name ?? '', branch: branch.name, accent: brand?.accentColor ?? '#000000' };
      if (cards.length > 0) sheets.push({ branch: branch.code, pages: cardPages(cards, look) });
    }
    return sheets;
  });
