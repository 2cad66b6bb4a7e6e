import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/about.ts';
import type { Plan } from '../../shops/domain/plan.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { Readiness } from '../../platform/app/readiness.ts';

/** (Decisions 1) */
export interface ServiceProfile {
  readonly name: string;
  readonly contact: string;
  readonly plans: readonly Plan[];
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly service: ServiceProfile;
  }
}

export const SERVICE_DESCRIPTION =
  'The public data of cafés and restaurants: brand, links, branches, menus with prices, booking times, order status.';

/** GET / with `Accept: application/json` (Decisions 1). */
export const about = (app: App): ReplyOf<typeof contract.about> => ({
  name: app.service.name,
  description: SERVICE_DESCRIPTION,
  openapi: `${app.baseUrl}/openapi.json`,
  mcp: `${app.baseUrl}/mcp`,
  docs: `${app.baseUrl}/docs`,
  contact: app.service.contact,
});

/** GET /health. */
export const health = (): Promise<ReplyOf<typeof contract.health>> => Promise.resolve({ status: 'up' });

/** GET /ready. */
export const ready = (readiness: Readiness) => async (): Promise<ReplyOf<typeof contract.ready>> => {
  const { failing, isSilent } = await readiness.check();
  if (failing.length > 0) throw new Refusal('UNAVAILABLE');
  return { status: 'ready', ...(isSilent ? { sending: 'off' } : {}) };
};
