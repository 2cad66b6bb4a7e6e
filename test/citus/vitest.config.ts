import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { PLAIN_ONLY } from './plain-only.ts';

/** `npm run test:citus`: on the server of CITUS_URL, and on nodes that are started from its programs. */
export default defineConfig({
  test: {
    ...shared.test,
    // Those of src that have a database too.
    include: ['src/doors/cli/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      ...['**/node_modules/**', 'test/outside/**', 'test/ha/**'],
      ...Object.keys(PLAIN_ONLY).map((path) => (path.endsWith('.ts') ? path : `${path}/**`)),
    ],
    globalSetup: ['test/support/setup/postgres.ts'],
    setupFiles: ['test/support/setup/property-seed.ts', 'test/citus/skip-plain-only.ts'],
  },
});
