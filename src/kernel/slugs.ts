/** First path segments of the service and similar words. */
// prettier-ignore
const RESERVED: ReadonlySet<string> = new Set([
  // API paths
  'public', 'staff', 'sync', 'mcp', 'api', 'docs', 'whatsapp', 'health', 'ready', 'metrics', 'openapi', 'openapi-staff',
  'well-known', 'events', 'webhooks', 'oauth', 'auth', 'login', 'sign-in', 'sign-up', 'logout',
  // pages and assets
  't', 'track', 'card', 'manage', 'assets', 'static', 'pictures', 'images', 'fonts', 'pass', 'wallet', 'console',
  'admin',
  'menu', 'order', 'book', 'join', 'links', 'about', 'pricing', 'contact', 'privacy', 'terms', 'help', 'status',
  // files that browsers and crawlers request
  'favicon', 'robots', 'sitemap', 'llms', 'manifest', 'apple-touch-icon',
  // the service itself
  'ahwa', 'www', 'null', 'undefined',
]);

/** (Decisions 1) */
export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug);
