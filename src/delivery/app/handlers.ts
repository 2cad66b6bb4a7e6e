import type { App } from '../../platform/app/app.ts';
import { quoteDelivery } from './delivery.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (app: App) => ({ quoteDelivery: quoteDelivery(app) });
