/**
 * What `npm run test:citus` leaves out, and why: every other test that has a database runs on shards, new ones by
 * themselves.
 */
const all = (reason: string, ...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]));

const TRIGGER = 'Citus refuses the trigger by which the test makes a statement fail, or counts its rows';

/** Test files, or folders of them. */
export const PLAIN_ONLY: Readonly<Record<string, string>> = {
  ...all('they have no database, or say the same on any', 'test/adapters', 'test/docs', 'test/laws'),
  ...all(TRIGGER, 'test/messaging/outbox-faults.test.ts'),
};

/** Single tests, by the first words of their titles. */
export const PLAIN_ONLY_TESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'test/service/sweeper-deletions.test.ts': all(TRIGGER, '2,500 expired rows are deleted in one round'),
};
