import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { LongestFirst } from '../support/setup/longest-first.ts';
import { PLAIN_ONLY } from './plain-only.ts';

type Options = TestProjectInlineConfiguration['test'];

const project = (options: Options): TestProjectInlineConfiguration => ({
  test: {
    ...shared.test,
    globalSetup: ['test/support/setup/postgres.ts'],
    setupFiles: ['test/support/setup/property-seed.ts', 'test/citus/skip-plain-only.ts'],
    ...options,
  },
});

/** `npm run test:citus`: on nodes that are started from the programs of the server of CITUS_URL, then on that server. */
export default defineConfig({
  test: {
    ...{ maxWorkers: 2, sequence: { sequencer: LongestFirst } },
    projects: [
      project({
        ...{ name: 'nodes', include: ['test/citus/*.test.ts'], exclude: [] },
        // Beside other tests a node would be slow, and not because another has died.
        ...{ maxWorkers: 1, sequence: { groupOrder: 0 } },
      }),
      project({
        name: 'one server',
        // Those of src that have a database too.
        include: ['src/doors/cli/*.test.ts', 'test/**/*.test.ts'],
        exclude: [
          ...['**/node_modules/**', 'test/outside/**', 'test/ha/**', 'test/citus/**'],
          ...Object.keys(PLAIN_ONLY).map((path) => (path.endsWith('.ts') ? path : `${path}/**`)),
        ],
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
