/** Which operation an address names, by the endpoint table: 404 and 405 with `Allow` follow from it alone. */
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { decoded } from './address.ts';

export type EndpointTable = Readonly<Record<string, Endpoint>>;

export interface Match {
  readonly endpoint: Endpoint;
  /** The raw texts of the path parameters, by name. */
  readonly segments: ReadonlyMap<string, string>;
}

export interface Routes {
  /** `HEAD` finds what `GET` finds. Null: no operation here, or none of this method. */
  find(method: string, path: string): Match | null;
  /** The methods that the path takes, for `Allow`; empty when nothing is there. */
  allowed(path: string): readonly string[];
}

interface Pattern {
  readonly endpoint: Endpoint;
  /** Fixed texts, or the name of a parameter. */
  readonly parts: readonly ({ readonly fixed: string } | { readonly parameter: string })[];
}

const patternOf = (endpoint: Endpoint): Pattern => ({
  endpoint,
  parts: endpoint.path.split('/').map((text) => {
    const parameter = /^\{(\w+)\}$/.exec(text)?.[1];
    return parameter === undefined ? { fixed: text } : { parameter };
  }),
});

const matchOf = (pattern: Pattern, texts: readonly string[]): Match | null => {
  if (texts.length !== pattern.parts.length) return null;
  const segments = new Map<string, string>();
  for (const [index, part] of pattern.parts.entries()) {
    const text = texts[index] ?? '';
    if ('parameter' in part) {
      if (text === '') return null;
      segments.set(part.parameter, text);
    } else if (text !== part.fixed && decoded(text) !== part.fixed) return null;
  }
  return { endpoint: pattern.endpoint, segments };
};

const METHODS_IN_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const createRoutes = (endpoints: EndpointTable): Routes => {
  // A fixed text goes before a parameter in the same place: /a/b before /a/{id}.
  const rank = ({ parts }: Pattern): string => parts.map((part) => ('fixed' in part ? '0' : '1')).join('');
  const patterns = Object.values(endpoints)
    .map(patternOf)
    .sort((a, b) => rank(a).localeCompare(rank(b)));
  const matchAll = (path: string): readonly Match[] => {
    const texts = path.split('/');
    return patterns.map((pattern) => matchOf(pattern, texts)).filter((match) => match !== null);
  };
  // Addresses without parameters are looked up as they are written; other spellings of them are still matched.
  const written = new Map(Object.values(endpoints).map(({ path }) => [path, matchAll(path)]));
  const matches = (path: string): readonly Match[] => written.get(path) ?? matchAll(path);
  return {
    find: (method, path) => {
      const wanted = method === 'HEAD' ? 'GET' : method;
      return matches(path).find((match) => match.endpoint.method === wanted) ?? null;
    },
    allowed: (path) => {
      const methods = new Set(matches(path).map((match) => match.endpoint.method as string));
      if (methods.has('GET')) methods.add('HEAD');
      return METHODS_IN_ORDER.filter((method) => methods.has(method));
    },
  };
};
