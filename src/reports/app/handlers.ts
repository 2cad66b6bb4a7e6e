import type { App } from '../../platform/app/app.ts';
import * as reports from './reports.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({
  reportDays: reports.reportDays(app),
  reportDaysCsv: reports.reportDaysCsv(app),
  reportHours: reports.reportHours(app),
  reportHoursCsv: reports.reportHoursCsv(app),
  reportItems: reports.reportItems(app),
  reportItemsCsv: reports.reportItemsCsv(app),
  reportKitchen: reports.reportKitchen(app),
  reportKitchenCsv: reports.reportKitchenCsv(app),
  reportTills: reports.reportTills(app),
  reportTillsCsv: reports.reportTillsCsv(app),
});
