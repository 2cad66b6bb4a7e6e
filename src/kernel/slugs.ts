/** First segments of our own addresses, and words that would be mistaken for them: no shop can be named so. */
// prettier-ignore
const RESERVED: ReadonlySet<string> = new Set([
  // the programs' doors
  'public', 'staff', 'sync', 'mcp', 'api', 'docs', 'health', 'ready', 'metrics', 'openapi', 'openapi-staff',
  'well-known', 'events', 'webhooks', 'oauth', 'auth', 'login', 'sign-in', 'sign-up', 'logout',
  // pages and what they load
  't', 'track', 'card', 'manage', 'assets', 'static', 'pictures', 'images', 'fonts', 'pass', 'console', 'admin',
  'menu', 'order', 'book', 'join', 'links', 'about', 'pricing', 'contact', 'privacy', 'terms', 'help', 'status',
  // files browsers and crawlers ask for by name
  'favicon', 'robots', 'sitemap', 'llms', 'manifest', 'apple-touch-icon',
  // the service itself
  'ahwa', 'www', 'null', 'undefined',
]);

/** Whether an address name is one of our own, which no shop can have (Decisions 1). */
export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug);
