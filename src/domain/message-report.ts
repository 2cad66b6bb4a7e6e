/** What a provider says became of a message that it took. */

/** From the least that is known of a message to the most; `failed` can be overtaken by a second device. */
export const DELIVERIES = ['sent', 'failed', 'delivered', 'read'] as const;
export type MessageDelivery = (typeof DELIVERIES)[number];

export interface MessageReport {
  /** The id that the message got when it was taken, `wamid.…`. */
  readonly providerId: string;
  readonly delivery: MessageDelivery;
}

/** What several reports, in whatever order they come, say of each message. */
export const strongest = (reports: readonly MessageReport[]): readonly MessageReport[] => {
  const known = new Map<string, MessageDelivery>();
  for (const { providerId, delivery } of reports) {
    const before = known.get(providerId);
    if (before === undefined || DELIVERIES.indexOf(before) < DELIVERIES.indexOf(delivery))
      known.set(providerId, delivery);
  }
  return [...known].map(([providerId, delivery]) => ({ providerId, delivery }));
};
