import { listReviews, closeReview } from './reviews.ts';
import { pullChanges } from './pull.ts';
import type { ReplayParts } from './replay/apply-event.ts';
import { replayEvents } from './replay/replay.ts';
import type { SyncParts } from './sources.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, appliers }: SyncParts & ReplayParts) => ({
  pullChanges: pullChanges({ app }),
  replayEvents: replayEvents({ app, appliers }),
  listReviews: listReviews(app),
  closeReview: closeReview(app),
});
