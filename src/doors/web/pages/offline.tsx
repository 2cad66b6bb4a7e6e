/** `/assets/offline`: what a page without network shows, kept by the service worker. */
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { useMessages } from '../components/reader.ts';
import { documentOf } from '../document.tsx';
import { errors } from '../messages/compiled/errors.ts';
import { pageEndpoint, type Page } from '../page.ts';

const Offline = () => {
  const t = useMessages(errors);
  return (
    <Frame shop={null}>
      <section class="state">
        <Icon name="offline" />
        <h1>{t.offline}</h1>
        <p>{t.offlineHint}</p>
        <p>
          <a class="button" href="">
            {t.retry}
          </a>
        </p>
      </section>
    </Frame>
  );
};

export const offlinePage: Page = {
  endpoint: pageEndpoint('offlinePage', '/assets/offline', { cache: 'no-store' }),
  handler: (parts) => (input) => {
    const language = input.query.lang ?? input.caller.language ?? 'ar';
    const page = documentOf(parts, {
      reader: { language, digits: 'latn' },
      chosen: input.query.lang,
      title: errors[language].offline,
      colors: null,
      canonical: null,
      body: <Offline />,
    });
    return Promise.resolve(page);
  },
};
