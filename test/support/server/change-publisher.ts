import { ChangePublisher } from '../../../src/platform/app/changes/change-publisher.ts';

/** Throws the faults of its subscribers, so that the test fails. */
export const aChangePublisher = (): ChangePublisher =>
  new ChangePublisher((fault) => {
    throw fault;
  });
