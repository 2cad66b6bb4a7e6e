import type { Kysely } from 'kysely';
import { businessDate } from '../../kernel/business-date.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { NewSale } from '../domain/sale.ts';
import { saleReference } from '../domain/sale-reference.ts';
import { drawSaleNumber, insertSale, salePlace } from '../store/sale.ts';
import { saleChange, tillChanges } from './changes.ts';

/**
 * Books a sale in the transaction of what was sold, and locks the numbers of its branch until the commit. Returns its
 * reference.
 */
export const bookSale = async (tx: Kysely<Database>, log: ChangeLog, sale: NewSale): Promise<string> => {
  const place = await salePlace(tx, sale.orgId, sale.branchId);
  if (place === null) throw new Error('A sale is made at a branch.');
  const date = businessDate(place.zone, sale.at, place.dayStartsAt);
  const number = await drawSaleNumber(tx, sale.orgId, place.code, date);
  const reference = saleReference(place.code, date, number);
  await insertSale(tx, sale, { reference, businessDate: date });
  const tills = [sale.tillId, ...sale.payments.map(({ tillId }) => tillId)];
  log.add(sale.orgId, saleChange(sale.id), ...tillChanges(tills));
  return reference;
};
