import type { App } from '../../platform/app/app.ts';
import { listAudit } from './audit.ts';
import { erasePerson, exportPerson } from './people.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({
  exportPerson: exportPerson(app),
  erasePerson: erasePerson(app),
  listAudit: listAudit(app),
});
