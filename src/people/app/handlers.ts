import type { App } from '../../platform/app/app.ts';
import { listAudit } from './audit.ts';
import { combineCards, replaceIdentity } from './identity.ts';
import { mergeCustomers } from './merge-customers.ts';
import { erasePerson, exportPerson } from './people.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({
  replaceIdentity: replaceIdentity(app),
  combineCards: combineCards(app),
  mergeCustomers: mergeCustomers(app),
  exportPerson: exportPerson(app),
  erasePerson: erasePerson(app),
  listAudit: listAudit(app),
});
