/** Skips the single tests that run on one PostgreSQL alone. */
import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { PLAIN_ONLY_TESTS } from './plain-only.ts';

beforeEach(({ task, skip }) => {
  const file = relative(process.cwd(), task.file.filepath);
  for (const [title, reason] of Object.entries(PLAIN_ONLY_TESTS[file] ?? {}))
    skip(task.name.startsWith(title), reason);
});
