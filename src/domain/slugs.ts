import { SLUG_PATTERN } from './ids.ts';

/** First segments of our own addresses, and words that would be mistaken for them: no shop can be named so (Decisions 1). */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
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
]); // prettier-ignore

const FORM = new RegExp(SLUG_PATTERN);

/** Whether a shop may have this address name: the form of Decisions 1, and no name of our own paths. */
export const isShopSlug = (text: string): boolean => FORM.test(text) && !RESERVED_SLUGS.has(text);
