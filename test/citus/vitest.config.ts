import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { TRIED } from './tried.ts';

/** `npm run test:citus`: on the server of CITUS_URL, and on nodes that are started from its programs. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/citus/**/*.test.ts', ...TRIED],
    exclude: ['**/node_modules/**'],
  },
});
