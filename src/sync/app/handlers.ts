import { pullChanges } from './pull.ts';
import type { SyncParts } from './sources.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = (parts: SyncParts) => ({ pullChanges: pullChanges(parts) });
