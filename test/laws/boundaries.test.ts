/**
 * The layer rule: which layers, topics and packages code may import, and which words a layer may not use. A topic is a
 * folder of `src`, a layer a folder or a file in it. Code outside the topics is a layer by its own name.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isInTopic, readSources, SRC, topicOf, TOPICS, type Source as Code } from './sources.ts';

type Layer =
  | 'domain'
  | 'contract'
  | 'store'
  | 'app'
  | 'http'
  | 'mcp'
  | 'web'
  | 'components'
  | 'browser'
  | 'client'
  | 'client-node'
  | 'adapters'
  | 'ports'
  | 'config'
  | 'wiring'
  | 'banner'
  | 'app-metrics'
  | 'generated-docs'
  | 'serve'
  | 'search-thread'
  | 'main'
  | 'cli';

const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  domain: [],
  contract: ['domain'],
  store: ['domain'],
  ports: ['domain'],
  app: ['domain', 'contract', 'store', 'ports'],
  http: ['app', 'contract', 'domain', 'ports'],
  mcp: ['app', 'contract', 'domain', 'ports'],
  // The pages: the server's part, what both sides draw, the scripts of the browser.
  web: ['app', 'client', 'contract', 'domain', 'http', 'components'],
  components: ['domain', 'client'],
  browser: ['client', 'components', 'domain'],
  client: ['contract', 'domain'],
  // Parts of the client that run on Node alone: no browser may import them.
  'client-node': ['adapters', 'client', 'domain'],
  adapters: ['ports', 'domain'],
  config: ['domain'],
  wiring: ['adapters', 'app', 'config', 'contract', 'domain', 'http', 'ports', 'store'],
  banner: ['app'],
  'app-metrics': ['app', 'http', 'wiring'],
  serve: [
    'adapters',
    'app',
    'config',
    'contract',
    'domain',
    'http',
    'mcp',
    'web',
    'app-metrics',
    'banner',
    'ports',
    'store',
    'wiring',
  ],
  main: ['serve'],
  // The program of a worker thread.
  'search-thread': ['domain'],
  'generated-docs': ['app', 'config', 'contract'],
  cli: ['app', 'config', 'contract', 'domain', 'generated-docs', 'banner', 'serve', 'store', 'wiring'],
};

/** Packages that a layer may use; everything of Node's own is checked by the words below. */
const MAY_USE: Record<Layer, readonly RegExp[]> = {
  domain: [],
  contract: [/^typebox$/],
  store: [/^kysely$/, /^pg$/, /^pg-copy-streams$/, /^node:/],
  ports: [],
  app: [/^node:/, /^typebox$/, /^ajv/, /^kysely$/, /^csv-parse/, /^lru-cache$/, /^otpauth$/, /^qrcode$/],
  http: [/^node:/, /^ajv/, /^lru-cache$/, /^prom-client$/, /^typebox$/],
  mcp: [],
  web: [/^node:/, /^typebox$/, /^preact(-render-to-string)?$/],
  components: [/^preact(\/hooks)?$/, /^@messageformat\/runtime/],
  browser: [/^preact(\/hooks)?$/],
  client: [],
  'client-node': [/^node:/],
  adapters: [
    /^node:/,
    /^pino$/,
    /^pg$/,
    /^sharp$/,
    /^passkit-generator$/,
    /^jose$/,
    /^@simplewebauthn\/server(\/helpers)?$/,
  ],
  config: [/^node:/],
  wiring: [/^node:/],
  banner: [],
  'app-metrics': [],
  'generated-docs': [],
  serve: [/^node:/],
  main: [],
  'search-thread': [/^node:/],
  cli: [/^node:/, /^commander$/],
};

/** The files of a domain that may import a library. */
const DOMAIN_EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  'kernel/time.ts': /^temporal-polyfill/,
  'kernel/phone.ts': /^libphonenumber-js/,
  'platform/domain/ip-address.ts': /^ipaddr\.js$/,
};

/** Files that compose SQL of several topics into one statement, for one round trip or one person's data. */
const COMPOSED_STATEMENTS = ['orders/store/checkout.ts', 'people/store/combine.ts', 'people/store/people.ts'];

const FORBIDDEN: readonly { in: Layer; word: RegExp; why: string }[] = [
  { in: 'domain', word: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/, why: 'time is an argument' },
  { in: 'domain', word: /\bMath\.random\b|\bcrypto\b/, why: 'randomness is an argument' },
  { in: 'domain', word: /\basync\b|\bawait\b|\bPromise\b|\bfetch\(/, why: 'domain is synchronous' },
  {
    in: 'store',
    word: /(?<![.\w])now\(\)|\bcurrent_timestamp\b|\blocaltimestamp\b|\bclock_timestamp\b/i,
    why: 'no rule reads the database’s clock',
  },
  { in: 'app', word: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/, why: 'time and randomness are ports' },
  {
    in: 'web',
    word: /\b(window|navigator|localStorage|sessionStorage)\.|\bdocument\.(?!tsx)/,
    why: 'the server has no browser',
  },
  {
    in: 'components',
    word: /\b(window|navigator|localStorage|sessionStorage)\.|\bdocument\.(?!tsx)|\bfetch\(/,
    why: 'components are drawn on the server too',
  },
  { in: 'http', word: /\bDate\.now\b|\bnew Date\(\)(?!\.toUTCString)/, why: 'time is a port' },
];

/** Files that may use a forbidden word once, and why. */
const WORD_EXCEPTIONS: Readonly<Record<string, { readonly word: string; readonly why: string }>> = {
  'platform/store/request-limits.ts': {
    word: 'clock_timestamp()',
    why: 'processes whose clocks differ share request limits, which are no rule of the business',
  },
};

interface Source extends Code {
  readonly layer: Layer;
}

/** Folders of `doors/web` that a browser runs too. */
const PARTS_OF_PAGES: Readonly<Record<string, Layer>> = {
  components: 'components',
  messages: 'components',
  islands: 'browser',
  browser: 'browser',
  'service-worker': 'browser',
};

const NODE_CLIENT = join('client', 'till', 'node', sep);

const isLayer = (name: string): name is Layer => name in MAY_IMPORT;

const layerOf = (path: string): Layer => {
  const [first = '', second = ''] = path.split(sep);
  if (first === 'kernel') return 'domain';
  if (path.startsWith(NODE_CLIENT)) return 'client-node';
  const part = path.split(sep)[2] ?? '';
  if (second === 'web' && part in PARTS_OF_PAGES) return PARTS_OF_PAGES[part] ?? 'web';
  const name = (TOPICS.includes(first) || first === 'doors' ? second : first).replace(/\.ts$/, '');
  if (!isLayer(name)) throw new Error(`src/${path} is in no known layer`);
  return name;
};

const sources: readonly Source[] = readSources().map((source) => ({
  ...source,
  layer: layerOf(source.path),
}));

const targetOf = (source: Source, specifier: string): string =>
  relative(SRC, resolve(dirname(join(SRC, source.path)), specifier));

test('every layer imports only the layers that are allowed to it', () => {
  const wrong = sources.flatMap((source) =>
    source.imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => targetOf(source, specifier))
      .filter(
        (target) => layerOf(target) !== source.layer && !MAY_IMPORT[source.layer].includes(layerOf(target)),
      )
      .map((target) => `${source.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Imports from one topic into another. */
const crossTopic = sources
  .filter(({ path }) => isInTopic(path))
  .flatMap((source) =>
    source.imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from: source.path, to: targetOf(source, specifier) }))
      .filter(({ to }) => isInTopic(to) && topicOf(to) !== topicOf(source.path)),
  );

test('every topic imports only the topics before it', () => {
  const wrong = crossTopic.filter(
    ({ from, to }) => TOPICS.indexOf(topicOf(to)) > TOPICS.indexOf(topicOf(from)),
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no topic imports the store of another, except its table types', () => {
  const wrong = crossTopic
    .filter(({ to }) => topicOf(to) !== 'platform' && layerOf(to) === 'store')
    .filter(({ from, to }) => !(layerOf(from) === 'store' && to.split(sep)[2] === 'schema'))
    .filter(({ from }) => !COMPOSED_STATEMENTS.includes(from.split(sep).join('/')));
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no folder of src has more than 30 source files, tests not counted', () => {
  const folders = sources.map(({ path }) => dirname(path));
  const sizeOf = (folder: string): number => folders.filter((other) => other === folder).length;
  expect([...new Set(folders)].filter((folder) => sizeOf(folder) > 30)).toEqual([]);
});

test('every layer uses only the packages that are allowed to it', () => {
  const wrong = sources.flatMap((source) =>
    source.imports
      .filter((specifier) => !specifier.startsWith('.'))
      .filter((name) => !MAY_USE[source.layer].some((allowed) => allowed.test(name)))
      .filter((name) => !(DOMAIN_EXCEPTIONS[source.path.split(sep).join('/')]?.test(name) ?? false))
      .map((name) => `${source.path} uses ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('no file uses a word that its layer forbids', () => {
  const wrong = sources.flatMap((source) => {
    const permitted = WORD_EXCEPTIONS[source.path.split(sep).join('/')]?.word;
    const code = permitted === undefined ? source.code : source.code.replace(permitted, '');
    return FORBIDDEN.filter((rule) => rule.in === source.layer && rule.word.test(code)).map(
      (rule) => `${source.path}: ${rule.why}`,
    );
  });
  expect(wrong).toEqual([]);
  const unneeded = Object.entries(WORD_EXCEPTIONS).filter(
    ([path, { word }]) =>
      !sources.some((source) => source.path.split(sep).join('/') === path && source.code.includes(word)),
  );
  expect(unneeded).toEqual([]);
});

test('only config.ts reads the environment', () => {
  const readers = sources
    .filter((source) => /\bprocess\.env\b/.test(source.code))
    .map((source) => source.path);
  // The text of an example.
  const shown = ['service/contract/webhook-reference.ts'];
  expect(readers.filter((path) => path !== 'config.ts' && !shown.includes(path))).toEqual([]);
});

test('only the store layer contains SQL', () => {
  const withSql = sources
    .filter((source) => source.layer !== 'store')
    .filter((source) => /\bsql`|\b(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(source.code))
    .map((source) => source.path);
  expect(withSql).toEqual([]);
});

test('no imports form a cycle', () => {
  const graph = new Map(
    sources.map((source) => [
      source.path,
      source.imports.filter((name) => name.startsWith('.')).map((name) => targetOf(source, name)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test('no file has more than 400 lines or a vague name such as `utils`', () => {
  const long = sources.filter(
    (source) => readFileSync(join(SRC, source.path), 'utf8').split('\n').length > 401,
  );
  expect(long.map((source) => source.path)).toEqual([]);
  const vague = sources.filter((source) =>
    /(^|[/\\])(utils?|helpers?|manager|common)(\.ts$|[/\\])|[/\\]service(\.ts$|[/\\])/.test(source.path),
  );
  expect(vague.map((source) => source.path)).toEqual([]);
});
