/** The use cases of the program in this process. */
import { systemTimers } from '../../src/adapters/timers.ts';
import { BudgetLeases } from '../../src/messaging/app/budget-leases.ts';
import type { App } from '../../src/platform/app/app.ts';
import { LookupLimit } from '../../src/platform/app/limits/lookup-limit.ts';
import { handlersOf } from '../../src/service/app/handlers.ts';

export type Handlers = ReturnType<typeof handlersOf>;

/** Without limits. */
export const handlersIn = (app: App): Handlers =>
  handlersOf({
    ...{ app, background: app, timers: systemTimers },
    lookups: new LookupLimit({ scale: 0, monotonic: () => 0 }),
    leases: new BudgetLeases(app, systemTimers),
    readiness: { check: () => Promise.resolve({ failing: [], isSilent: false }) },
  });
