/** An order as its tracking link tells it. */
import type { Reply } from '../../../client/client.ts';

export type TrackedOrder = Reply<'trackOrder'>;
export type Status = TrackedOrder['status'];

const ENDS: ReadonlySet<Status> = new Set<Status>(['delivered', 'cancelled', 'rejected']);
export const hasEnded = ({ status }: TrackedOrder): boolean => ENDS.has(status);
