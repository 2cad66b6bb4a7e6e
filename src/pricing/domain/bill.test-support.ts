import type { BillTerms } from './bill.ts';

export const UNTAXED: BillTerms = {
  serviceRate: 0,
  serviceTaxable: false,
  fee: 0,
  feeTaxable: false,
  taxRate: 0,
  taxInclusive: true,
};
