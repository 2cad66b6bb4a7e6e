import type { App } from '../../platform/app/app.ts';
import { getTable } from './dining-table.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({ getTable: getTable(app) });
