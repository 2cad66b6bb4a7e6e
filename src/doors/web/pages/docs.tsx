/** `/docs` and below: the API as pages. The frame is in the reader's language, the reference in English. */
import { AUDIENCES } from '../../../service/contract/audiences.ts';
import { endpoints } from '../../../service/contract/endpoints.ts';
import { addMinutes } from '../../../kernel/time.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { TrialDialog } from '../components/trial-dialog.tsx';
import { documentOf } from '../document.tsx';
import { docs } from '../messages/compiled/docs.ts';
import { reference } from '../messages/compiled/reference.ts';
import { pageEndpoint, serviceAnswer, type Page } from '../page.ts';
import { Guide, Index } from './docs/guide.tsx';
import { Layout } from './docs/layout.tsx';
import { GuideText } from './docs/guide-text.tsx';
import { errorsOn, guideOn, REFERENCE_PAGES, shapesOn, type ReferencePage } from './docs/pages.ts';
import { Command, Errors, Inline, Operations, Shapes, TryLink, type SampleProps } from './docs/reference.tsx';
import { commandFor, EXAMPLES, isTried, samplesOf, trialOf } from './docs/samples.ts';
import { Tools } from './docs/tools.tsx';
import { DEMO_MINUTES, visitorOf } from './landing.tsx';

const FIRST_REQUESTS = [
  { e: endpoints.getLinks, title: 'shop' },
  { e: endpoints.getBranchMenu, title: 'menu' },
  { e: endpoints.getBookingSlots, title: 'times' },
] as const;

const FirstRequests = ({ baseUrl, samples }: SampleProps) => {
  const t = useMessages(docs);
  return (
    <section aria-labelledby="start">
      <h2 id="start">{t.start}</h2>
      <p class="muted">{samples === EXAMPLES ? t.withoutDemo : t.withDemo}</p>
      <ol class="cards">
        {FIRST_REQUESTS.map(({ e, title }) => (
          <li key={e.id} class="card">
            <h3>{t[title]}</h3>
            <Command line={commandFor(baseUrl, e, samples)} label={t[title]}>
              <TryLink e={e} samples={samples} />
            </Command>
          </li>
        ))}
      </ol>
    </section>
  );
};

const OTHER_FORMS = ['/docs.md', '/openapi.json', '/openapi-staff.json', '/llms.txt'];

const Overview = ({ name, ...sent }: SampleProps & { readonly name: string }) => {
  const t = useMessages(docs);
  return (
    <>
      <h1>
        <bdi>{t.title({ name })}</bdi>
      </h1>
      <p class="lead">{t.lead}</p>
      <p class="forms">
        {t.others}:{' '}
        {OTHER_FORMS.map((path) => (
          <a key={path} href={path}>
            <code dir="ltr">{path}</code>
          </a>
        ))}
      </p>
      <FirstRequests {...sent} />
    </>
  );
};

const Title = ({ page }: { readonly page: ReferencePage }) => {
  const t = useMessages(reference);
  const { language } = useReader();
  return (
    <>
      <h1>{t[page.name]}</h1>
      {language !== 'en' && <p class="muted">{t.inEnglish}</p>}
    </>
  );
};

interface DocsProps extends SampleProps {
  readonly page: ReferencePage;
  readonly name: string;
}

const Docs = ({ page, name, ...sent }: DocsProps) => {
  const errors = errorsOn(page.name);
  return (
    <Layout page={page}>
      {page.name === 'start' ? <Overview name={name} {...sent} /> : <Title page={page} />}
      <div id="island">
        <TrialDialog operation={null} state={{ kind: 'idle' }} />
      </div>
      <div class="reference" lang="en" dir="ltr">
        {page.name === 'start' && <Guide baseUrl={sent.baseUrl} />}
        {page.name === 'start' && <Index />}
        {page.name === 'staff' && (
          <p>
            <Inline text={AUDIENCES.staff.introduction} />
          </p>
        )}
        {guideOn(page.name).length > 0 && <GuideText blocks={guideOn(page.name)} />}
        <Operations table={page.operations} {...sent} />
        {page.name === 'tools' && <Tools baseUrl={sent.baseUrl} />}
        {errors.length > 0 && <Errors names={errors} />}
        {shapesOn(page.name).length > 0 && <Shapes shapes={shapesOn(page.name)} />}
      </div>
    </Layout>
  );
};

const OPENAPI = { public: '/openapi.json', staff: '/openapi-staff.json' } as const;

const titleOf = (page: ReferencePage, name: string, language: 'ar' | 'en'): string => {
  const whole = docs[language].title({ name });
  return page.name === 'start' ? whole : `${reference[language][page.name]}, ${whole}`;
};

export const docsPages: readonly Page[] = REFERENCE_PAGES.map((each) => ({
  endpoint: pageEndpoint(each.name === 'start' ? 'docsPage' : `docsPage-${each.name}`, each.path),
  handler: (parts) => async (input) => {
    const { app, baseUrl, demo } = parts;
    const reader = visitorOf(input);
    const samples = (await samplesOf(parts)) ?? EXAMPLES;
    const { name } = app.service;
    const tried = each.name === 'start' ? FIRST_REQUESTS.map(({ e }) => e) : each.operations.filter(isTried);
    const page = documentOf(parts, {
      reader,
      chosen: input.query.lang,
      title: titleOf(each, name, reader.language),
      description: docs[reader.language].lead,
      colors: null,
      canonical: each.path,
      styles: ['docs'],
      body: <Docs page={each} {...{ name, baseUrl, samples }} />,
      island: { name: 'docs', props: { operations: tried.map((e) => trialOf(e, samples)) } },
      alternates: { 'text/markdown': '/docs.md', 'application/json': OPENAPI[each.audience] },
    });
    return serviceAnswer(page, demo === null ? null : addMinutes(app.clock.now(), DEMO_MINUTES));
  },
}));
