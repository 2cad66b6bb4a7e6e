/** A refused request as a page. */
import { memoized } from '../../http/cache/memoized.ts';
import type { ErrorPage, RefusedRead } from '../../http/exchange.ts';
import { isSlug } from '../../../kernel/ids.ts';
import { isReservedSlug } from '../../../kernel/slugs.ts';
import type { Content } from '../../../platform/app/answer.ts';
import { Frame } from '../components/frame.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { figure } from '../components/format.ts';
import { useMessages, type Reader } from '../components/reader.ts';
import { documentOf, type Site } from '../document.tsx';
import { errors } from '../messages/compiled/errors.ts';

/** What the page depends on, without the number of the request. */
interface Shown extends Omit<RefusedRead, 'requestId' | 'path'> {
  readonly place: string | null;
  /** No card has the token of the address. */
  readonly isCard: boolean;
}

type Messages = (typeof errors)['ar' | 'en'];

interface Words {
  readonly icon: IconName;
  readonly title: (t: Messages) => string;
  /** Null: the refusal's own message. */
  readonly hint: ((t: Messages, refused: Shown) => string) | null;
}

const readerOf = ({ language }: Shown): Reader => ({ language, digits: 'latn' });

const waitHint = (t: Messages, refused: Shown): string => {
  const seconds = refused.retryAfterSeconds ?? 1;
  return t.busyHint({ seconds, figure: figure(readerOf(refused), seconds) });
};

const WORDS: Readonly<Record<number, Words>> = {
  404: { icon: 'search', title: (t) => t.notFound, hint: (t) => t.notFoundHint },
  429: { icon: 'clock', title: (t) => t.busy, hint: waitHint },
  503: { icon: 'offline', title: (t) => t.down, hint: (t) => t.downHint },
};
const NO_CARD: Words = { icon: 'wallet', title: (t) => t.noCard, hint: (t) => t.noCardHint };
const OTHER: Words = { icon: 'offline', title: (t) => t.failed, hint: null };

const wordsOf = ({ status, isCard }: Shown): Words => (isCard ? NO_CARD : (WORDS[status] ?? OTHER));

/** The links page above an unknown address; null: the address is below none. */
const placeAbove = (path: string): string | null => {
  const [, slug = '', ...below] = path.split('/');
  return below.length > 0 && isSlug(slug) && !isReservedSlug(slug) ? `/${slug}` : null;
};

const isWorthRepeating = (status: number): boolean => status === 429 || status >= 500;

/** Stands for the number of the request. */
const REQUEST = '{request}';

const Refused = ({ refused }: { readonly refused: Shown }) => {
  const t = useMessages(errors);
  const { icon, title, hint } = wordsOf(refused);
  return (
    <Frame shop={null}>
      <section class="state">
        <Icon name={icon} />
        <h1>{title(t)}</h1>
        <p>{hint === null ? refused.message : hint(t, refused)}</p>
        {refused.place !== null && (
          <p>
            <a class="button" href={refused.place}>
              {t.toPlace}
            </a>
          </p>
        )}
        {isWorthRepeating(refused.status) && (
          <p>
            <a class="button" href="">
              {t.retry}
            </a>
          </p>
        )}
        <p class="muted small">
          <bdi>{t.reference({ id: REQUEST })}</bdi>
        </p>
      </section>
    </Frame>
  );
};

const draw = (site: Site, refused: Shown): Content => {
  const { title } = wordsOf(refused);
  return documentOf(site, {
    reader: readerOf(refused),
    chosen: refused.chosen,
    title: title(errors[refused.language]),
    colors: null,
    canonical: null,
    body: <Refused refused={refused} />,
  });
};

/** Drawn once for many: a client beyond its limits must not cost more than one within. */
export const errorPage = (site: Site): ErrorPage => {
  const drawn = memoized((shown) => draw(site, JSON.parse(shown) as Shown));
  return ({ requestId, path, ...refused }) => {
    const isMissing = refused.status === 404;
    const shown: Shown = {
      ...refused,
      place: isMissing ? placeAbove(path) : null,
      isCard: isMissing && /^\/card\/[^/]+$/.test(path),
    };
    const page = drawn(JSON.stringify(shown));
    return { ...page, body: String(page.body).replace(REQUEST, requestId) };
  };
};
