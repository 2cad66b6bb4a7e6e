/** A valid request of every report. */
import { branchId } from '../shops/cafe.ts';
import type { Asked, Case } from './staff-requests.ts';

const asked = (report: string, slug?: string): Asked => ({
  address: `/staff/reports/${report}?branch_id=${branchId('zamalek', slug)}&from=2026-11-01&to=2026-11-30`,
});

const reportCase = (report: string): Case => ({
  ask: (_, slug) => asked(report, slug),
  otherShopStatus: 404,
});

export const REPORT_CASES = {
  reportDays: reportCase('day'),
  reportDaysCsv: reportCase('day.csv'),
  reportHours: reportCase('hours'),
  reportHoursCsv: reportCase('hours.csv'),
  reportItems: reportCase('items'),
  reportItemsCsv: reportCase('items.csv'),
  reportKitchen: reportCase('kitchen'),
  reportKitchenCsv: reportCase('kitchen.csv'),
  reportTills: reportCase('tills'),
  reportTillsCsv: reportCase('tills.csv'),
};

/** One call of each, by the owner. */
export const reportCalls = (headers: Readonly<Record<string, string>>) => {
  const call = (report: string) => () => Promise.resolve({ address: asked(report).address, headers });
  return {
    reportDays: call('day'),
    reportDaysCsv: call('day.csv'),
    reportHours: call('hours'),
    reportHoursCsv: call('hours.csv'),
    reportItems: call('items'),
    reportItemsCsv: call('items.csv'),
    reportKitchen: call('kitchen'),
    reportKitchenCsv: call('kitchen.csv'),
    reportTills: call('tills'),
    reportTillsCsv: call('tills.csv'),
  };
};
