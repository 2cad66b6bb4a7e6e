/** Events of a device, each known by its number. */
import { createHash } from 'node:crypto';
import type { QueuedEvent } from '../../../src/client/till/queue/event.ts';

export const NOW = Date.parse('2026-12-04T17:40:00.000Z');

const CASHIER = '7a6b5c4d-3e2f-4a1b-8c9d-0e1f2a3b4c5d';

/** The same id for the same number. */
export const idOf = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** A sale; `note` makes it as long as one likes. */
export const anEvent = (number: number, note = 'قهوة'): QueuedEvent => ({
  ...{ id: idOf(number), kind: 'sale', by: CASHIER },
  at: new Date(NOW + number * 1_000).toISOString(),
  data: { number, note },
});

export const numberOf = ({ data }: QueuedEvent): number => Number(data['number']);

export const numbersOf = (events: readonly QueuedEvent[]): number[] => events.map(numberOf);

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
