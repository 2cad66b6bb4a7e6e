/** The sources of `src`, and the order of its topics. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

export const SRC = resolve(import.meta.dirname, '../../src');

/** The topics in their order: each imports only topics before it. Inside a topic, the second segment is the layer. */
export const TOPICS = [
  ...[
    'kernel',
    'platform',
    'pictures',
    'shops',
    'messaging',
    'staff',
    'identity',
    'menu',
    'delivery',
    'customers',
    'loyalty',
    'pricing',
    'kitchen',
    'sales',
    'orders',
  ],
  ...['bookings', 'floor', 'reports', 'people', 'shopfile', 'sync', 'service'],
];

export interface Source {
  /** Relative to `src`. */
  readonly path: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly string[];
}

const IMPORT =
  /^\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** Without tests. */
export const readSources = (): Source[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|test-support)\.tsx?$/.test(path))
    .map((path) => {
      const code = withoutComments(readFileSync(join(SRC, path), 'utf8'));
      const imports = [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      return { path, code, imports };
    });

export const topicOf = (path: string): string => path.split(sep)[0] ?? '';
export const isInTopic = (path: string): boolean => TOPICS.includes(topicOf(path));
