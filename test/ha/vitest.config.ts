import { defineConfig } from 'vitest/config';

/** `npm run test:ha`: three machines in a network of their own, which needs root and programs of Debian. */
export default defineConfig({
  test: {
    include: ['test/ha/**/*.test.ts'],
    // Each file has three machines of its own.
    fileParallelism: false,
    // What one test breaks, the next one would find broken.
    bail: 1,
    reporters: ['tree'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
