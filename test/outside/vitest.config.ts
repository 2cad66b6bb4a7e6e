import { defineConfig } from 'vitest/config';

/** `npm run test:outside`: conformance suites and Lighthouse, which need more than `npm test` may require. */
export default defineConfig({
  test: {
    include: ['test/outside/**/*.test.ts'],
    globalSetup: ['test/support/setup/postgres.ts'],
    reporters: ['tree'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
