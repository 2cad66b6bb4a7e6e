import { strongest, type MessageReport } from '../domain/message-report.ts';
import { recordReports } from '../store/message-report.ts';
import type { App } from './app.ts';

/** Notes what a provider says became of messages. */
export const takeReports = ({ db }: Pick<App, 'db'>, reports: readonly MessageReport[]): Promise<void> =>
  recordReports(db.kysely, strongest(reports));
