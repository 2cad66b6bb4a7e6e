/** Finds the operation of a method and path in the endpoint table; 404, 405 and `Allow` follow from it. */
import { isPage, type Endpoint, type EndpointTable } from '../../platform/contract/endpoint.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { decoded } from './address.ts';

export interface Match {
  readonly endpoint: Endpoint;
  /** The raw path parameters by name. */
  readonly segments: ReadonlyMap<string, string>;
}

export interface Routes {
  /** `HEAD` finds the operation of `GET`. Where a path has a page and an operation, `wantsPage` chooses. */
  find(method: string, path: string, wantsPage: boolean): Match | null;
  /** Empty: no such path. */
  allowed(path: string): readonly string[];
}

interface Pattern {
  readonly endpoint: Endpoint;
  /** `{name}.suffix` is a parameter that ends so. */
  readonly parts: readonly (
    { readonly fixed: string } | { readonly parameter: string; readonly suffix: string }
  )[];
}

const patternOf = (endpoint: Endpoint): Pattern => ({
  endpoint,
  parts: endpoint.path.split('/').map((text) => {
    const [, parameter, suffix = ''] = /^\{(\w+)\}(\.\w+)?$/.exec(text) ?? [];
    return parameter === undefined ? { fixed: text } : { parameter, suffix };
  }),
});

type Part = Pattern['parts'][number];

const fits = (part: Part, text: string): boolean =>
  'parameter' in part
    ? text !== '' && text.endsWith(part.suffix)
    : text === part.fixed || decoded(text) === part.fixed;

/** `texts` has as many parts. */
const matches = ({ parts }: Pattern, texts: readonly string[]): boolean =>
  parts.every((part, index) => fits(part, texts[index] ?? ''));

const matchOf = ({ endpoint, parts }: Pattern, texts: readonly string[]): Match => {
  const segments = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    const text = texts[index] ?? '';
    if ('parameter' in part) segments.set(part.parameter, text.slice(0, text.length - part.suffix.length));
  }
  return { endpoint, segments };
};

/** `/{slug}` and below: any unknown path looks like one. */
const isPageOfShop = (endpoint: Endpoint): boolean => isPage(endpoint) && endpoint.path.startsWith('/{');

const METHODS_IN_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const createRoutes = (endpoints: EndpointTable): Routes => {
  // /a/b ranks before /a/{id}.
  const rank = ({ parts }: Pattern): string => parts.map((part) => ('fixed' in part ? '0' : '1')).join('');
  const patterns = Object.values(endpoints)
    .map(patternOf)
    .sort((a, b) => rank(a).localeCompare(rank(b)));
  const byLength = groupBy(patterns, ({ parts }) => parts.length);
  const matchAll = (path: string): readonly Match[] => {
    const texts = path.split('/');
    const possible = byLength.get(texts.length) ?? [];
    return possible.filter((pattern) => matches(pattern, texts)).map((pattern) => matchOf(pattern, texts));
  };
  // Paths without parameters are looked up as written; other spellings are matched.
  const written = new Map(Object.values(endpoints).map(({ path }) => [path, matchAll(path)]));
  const matchesOf = (path: string): readonly Match[] => written.get(path) ?? matchAll(path);
  return {
    find: (method, path, wantsPage) => {
      const wanted = method === 'HEAD' ? 'GET' : method;
      const known = matchesOf(path);
      // `/llms.txt` and `/mcp` are no shops.
      const others = known.filter(({ endpoint }) => !isPageOfShop(endpoint));
      const found = (others.length > 0 ? others : known).filter(({ endpoint }) => endpoint.method === wanted);
      return found.find(({ endpoint }) => isPage(endpoint) === wantsPage) ?? found[0] ?? null;
    },
    allowed: (path) => {
      const known = matchesOf(path).filter(({ endpoint }) => !isPageOfShop(endpoint));
      const methods = new Set(known.map((match) => match.endpoint.method as string));
      if (methods.has('GET')) methods.add('HEAD');
      return METHODS_IN_ORDER.filter((method) => methods.has(method));
    },
  };
};
