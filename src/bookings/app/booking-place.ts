import type { Uuid } from '../../kernel/ids.ts';
import { byName, type Named, type Translations } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { takesBookings, type Branch, type Brand } from '../../shops/domain/shop.ts';
import { branchById, branchesOf, brandOf, linksOf } from '../../shops/store/shop.ts';
import type { App } from '../../platform/app/app.ts';

/** Of which shop and branch booking times are. */
export interface BookingPlace {
  readonly slug: string;
  readonly shopName: string;
  readonly shopNameTranslations: Translations;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
}

export const placeOf = (brand: Brand, branch: Branch): BookingPlace => ({
  slug: brand.slug,
  shopName: brand.name,
  shopNameTranslations: brand.nameTranslations,
  branchName: branch.name,
  branchNameTranslations: branch.nameTranslations,
});

/** Where a person turns whose booking a branch refuses. */
export interface BookingHelp {
  readonly place: BookingPlace;
  /** Null also where the shop's links page hides its branches. */
  readonly phone: string | null;
  readonly takesBookings: boolean;
  /** Where it takes none: the shop's branches that do, by name. */
  readonly bookableBranches: readonly (Named & { readonly id: Uuid })[];
}

/** A branch by its id alone, for a refusal: never kept, and so without what keeping takes. NOT_FOUND as everywhere. */
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
        place: placeOf(brand, branch),
        phone: links.showBranches ? branch.phone : null,
        takesBookings: takesBookings(branch),
        bookableBranches: others.filter(takesBookings).sort(byName),
      };
    });
