/** Queries that other topics run in their own transactions. */
export {
  branchById,
  branchInAnyState,
  branchesOf,
  brandOf,
  isActiveShop,
  isLiveBranch,
  linksOf,
  messageLanguageOf,
  shopOf,
} from '../store/shop.ts';
export { codesOfBranch, setPublicId, tableByCode, tablesOfBranch, type NamedTable } from '../store/tables.ts';
