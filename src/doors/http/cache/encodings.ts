/** Content coding and entity tags (RFC 9110, 12.5.3, 13.1.2 and 8.4). */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../../kernel/refusal.ts';
import { memoized } from './memoized.ts';
import { preferencesOf } from '../content-negotiation.ts';

export type Coding = 'identity' | 'br' | 'gzip';

export interface Acceptance {
  readonly best: Coding;
  /** The client refuses plain bytes, so even a tiny body is compressed. */
  readonly neverPlain: boolean;
}

const PLAIN: Acceptance = { best: 'identity', neverPlain: false };

const parse = (header: string): Acceptance => {
  const weights = new Map(
    preferencesOf(header).map(({ name, weight }) => [name === 'x-gzip' ? 'gzip' : name, weight]),
  );
  const any = weights.get('*');
  const br = weights.get('br') ?? any ?? 0;
  const gzip = weights.get('gzip') ?? any ?? 0;
  // Unless refused, by name or by `*;q=0`, plain bytes are acceptable; unnamed they come last.
  const plain = weights.get('identity') ?? (any === 0 ? 0 : Number.MIN_VALUE);
  const best = br > 0 && br >= gzip && br >= plain ? 'br' : gzip > 0 && gzip >= plain ? 'gzip' : 'identity';
  return { best, neverPlain: plain === 0 && best !== 'identity' };
};

const readAcceptance = memoized(parse);

export const acceptanceOf = (header: string | undefined): Acceptance =>
  header === undefined ? PLAIN : readAcceptance(header);

export const refusedCoding = ({ 'content-encoding': codings = '' }: IncomingHttpHeaders): Refusal | null =>
  codings.split(',').every((coding) => /^\s*(?:identity)?\s*$/i.test(coding))
    ? null
    : new Refusal('BODY_COMPRESSED');

export type Tags = Readonly<Record<Coding, string>>;

export const tagsOf = (digest: string): Tags => ({
  identity: `"${digest}"`,
  br: `"${digest}-br"`,
  gzip: `"${digest}-gzip"`,
});

/** The tag that `If-None-Match` names; for `*` the tag of `chosen`. Null: send the body. */
export const matchingTag = (ifNoneMatch: string, tags: Tags, chosen: Coding): string | null => {
  if (ifNoneMatch === tags[chosen]) return ifNoneMatch;
  if (ifNoneMatch.trim() === '*') return tags[chosen];
  for (const [, tag = ''] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g))
    if (tag === tags.identity || tag === tags.br || tag === tags.gzip) return tag;
  return null;
};
