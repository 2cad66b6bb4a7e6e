/** Queries that other topics run in their own transactions. */
export {
  branchById,
  branchesOf,
  brandOf,
  isActiveShop,
  isLiveBranch,
  linksOf,
  messageLanguageOf,
  shopOf,
} from '../store/shop.ts';
export { tableById, tablesOfBranch } from '../store/tables.ts';
