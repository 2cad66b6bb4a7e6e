import { SECURITY_EVENT_KINDS, type SecurityEventKind } from '../platform/domain/security-event.ts';
import type { Log, SecurityEvents } from '../ports.ts';

export const createSecurityEvents = (log: Pick<Log, 'warn'>): SecurityEvents => {
  const counts = Object.fromEntries(SECURITY_EVENT_KINDS.map((kind) => [kind, 0])) as Record<
    SecurityEventKind,
    number
  >;
  return {
    record: (kind, facts = {}, times = 1) => {
      counts[kind] += times;
      log.warn({ security: kind, ...facts }, 'security event');
    },
    counts,
  };
};
