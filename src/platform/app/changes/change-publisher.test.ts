import { expect, test } from 'vitest';
import type { ScopedChanges } from '../../../kernel/change.ts';
import { ChangePublisher } from './change-publisher.ts';

const CHANGES: ScopedChanges = { orgId: 'a shop', version: 7, scopes: ['shop'] };

test('a subscriber that throws is reported, and keeps neither the publisher nor other subscribers from their work', () => {
  const faults: unknown[] = [];
  const publisher = new ChangePublisher((fault) => faults.push(fault));
  const received: string[] = [];
  const fault = new Error('broken');
  publisher.subscribe({ changed: () => received.push('before') });
  publisher.subscribe({
    changed: () => {
      throw fault;
    },
  });
  const unsubscribe = publisher.subscribe({ changed: ({ version }) => received.push(`after ${version}`) });
  publisher.publish(CHANGES);
  expect(received).toEqual(['before', 'after 7']);
  expect(faults).toEqual([fault]);
  unsubscribe();
  publisher.publish(CHANGES);
  expect(received).toEqual(['before', 'after 7', 'before']);
  expect(faults).toEqual([fault, fault]);
});
