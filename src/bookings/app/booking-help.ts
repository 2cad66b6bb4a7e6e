import type { Uuid } from '../../kernel/ids.ts';
import { byName, type Named, type Translations } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { takesBookings, type Branch, type Brand } from '../../shops/domain/shop.ts';
import { branchById, branchesOf, brandOf, linksOf } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';

export interface ShopAndBranchNames {
  readonly slug: string;
  readonly shopName: string;
  readonly shopNameTranslations: Translations;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
}

export const shopAndBranchNames = (brand: Brand, branch: Branch): ShopAndBranchNames => ({
  slug: brand.slug,
  shopName: brand.name,
  shopNameTranslations: brand.nameTranslations,
  branchName: branch.name,
  branchNameTranslations: branch.nameTranslations,
});

/** Contact and alternatives after a branch refused a booking. */
export interface BookingHelp {
  readonly names: ShopAndBranchNames;
  /** Null also if the shop's links page hides its branches. */
  readonly phone: string | null;
  readonly takesBookings: boolean;
  /** If it takes none: other branches that do, by name. */
  readonly bookableBranches: readonly (Named & { readonly id: Uuid })[];
}

/** Not cached, so it needs no scopes or version. Throws NOT_FOUND. */
export const bookingHelp =
  (app: App) =>
  (branchId: Uuid): Promise<BookingHelp> =>
    app.db.snapshot(async (tx) => {
      const branch = await branchById(tx, branchId);
      if (branch === null) throw new Refusal('NOT_FOUND');
      const { orgId } = branch;
      const [brand, links] = [await brandOf(tx, orgId), await linksOf(tx, orgId)];
      if (brand === null || links === null) throw new Refusal('NOT_FOUND');
      const others = takesBookings(branch) ? [] : await branchesOf(tx, orgId);
      return {
        names: shopAndBranchNames(brand, branch),
        phone: links.showBranches ? branch.phone : null,
        takesBookings: takesBookings(branch),
        bookableBranches: others.filter(takesBookings).sort(byName),
      };
    });
