import { LRUCache } from 'lru-cache';

/** Clients send few different header lines. Longer lines are not kept. */
const MAX_LINES = 256;
const LONGEST_LINE = 512;

export const memoized = <T>(parse: (line: string) => T): ((line: string) => T) => {
  const results = new LRUCache<string, { readonly value: T }>({ max: MAX_LINES });
  return (line) => {
    const known = results.get(line);
    if (known !== undefined) return known.value;
    const value = parse(line);
    if (line.length <= LONGEST_LINE) results.set(line, { value });
    return value;
  };
};
