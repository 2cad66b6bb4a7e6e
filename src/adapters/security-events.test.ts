import { expect, test } from 'vitest';
import { createSecurityEvents } from './security-events.ts';

test('each event is one log line and is counted by its kind', () => {
  const lines: object[] = [];
  const events = createSecurityEvents({ warn: (fields, message) => lines.push({ ...fields, message }) });
  events.record('pin_wrong', { device_id: 'a till', staff_id: 'a teller' });
  events.record('requests_refused', { client: '192.0.2.7', status: 429, count: 12 }, 12);
  expect(lines).toEqual([
    { security: 'pin_wrong', device_id: 'a till', staff_id: 'a teller', message: 'security event' },
    { security: 'requests_refused', client: '192.0.2.7', status: 429, count: 12, message: 'security event' },
  ]);
  expect([events.counts.pin_wrong, events.counts.requests_refused, events.counts.password_wrong]).toEqual([
    1, 12, 0,
  ]);
});
