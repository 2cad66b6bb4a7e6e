import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/about.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { Readiness } from '../../platform/app/readiness.ts';

/** What the service is, in a sentence. */
export const SERVICE_DESCRIPTION =
  'The public data of cafés and restaurants: brand, links, branches, menus with prices, booking times, order status.';

/** GET / for a client that asks for JSON (Decisions 1). */
export const about = (app: App): ReplyOf<typeof contract.about> => ({
  name: app.service.name,
  description: SERVICE_DESCRIPTION,
  openapi: `${app.baseUrl}/openapi.json`,
  mcp: `${app.baseUrl}/mcp`,
  docs: `${app.baseUrl}/docs`,
  contact: app.service.contact,
});

/** GET /health: the process is up. */
export const health = (): Promise<ReplyOf<typeof contract.health>> => Promise.resolve({ status: 'up' });

/** GET /ready: whether requests will be answered, by the checks of `readiness`. */
export const ready = (readiness: Readiness) => async (): Promise<ReplyOf<typeof contract.ready>> => {
  const { failing, isSilent } = await readiness.look();
  if (failing.length > 0) throw new Refusal('UNAVAILABLE');
  return { status: 'ready', ...(isSilent ? { sending: 'off' } : {}) };
};
