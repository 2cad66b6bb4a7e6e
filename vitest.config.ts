import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/setup/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    // What needs more than `npm test` may ask for: `npm run test:outside`, `npm run test:ha`, `npm run test:citus`.
    exclude: [...configDefaults.exclude, 'test/outside/**', 'test/ha/**', 'test/citus/**'],
    globalSetup: ['test/support/setup/postgres.ts', 'test/support/setup/statements-seen.ts'],
    setupFiles: ['test/support/setup/property-seed.ts', 'test/support/setup/statements.ts'],
    // A worker keeps its modules, compiled validators and databases from file to file: half of the time of a run.
    isolate: false,
    // Short-lived objects die before they are copied: 5 % of the CPU of a run.
    execArgv: ['--max-semi-space-size=64'],
    // Both cores of a small machine: tests wait for the database and for programs of their own.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A machine that is busy is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
