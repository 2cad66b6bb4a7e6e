/** Which statements of frequent requests Citus has planned for one node: `npm run test:citus` writes the record. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sent } from '../support/statements/sent.ts';
import type { SentFor } from './hot.ts';

export const RECORD = join(import.meta.dirname, 'planned.json');

interface Planned {
  /** Hashes of texts. */
  readonly planned: readonly string[];
  /** Changed by somebody without Citus, and added by hand. */
  readonly unplanned: readonly string[];
}

export const planned = (): Planned => JSON.parse(readFileSync(RECORD, 'utf8')) as Planned;

export const hashOf = (text: string): string =>
  createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 16);

/** Each text once, without those that begin and end transactions. */
export const statementsIn = (sent: SentFor): ReadonlyMap<string, Sent & { readonly request: string }> =>
  new Map(
    Object.entries(sent)
      .flatMap(([request, all]) => all.map((one) => ({ ...one, request })))
      .filter(({ text }) => !/^(?:begin|start|commit|rollback)/.test(text))
      .map((one) => [hashOf(one.text), one]),
  );
