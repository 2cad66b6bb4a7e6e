/** `/docs`: the API as a page. The frame is in the reader's language, the reference in English. */
import { AUDIENCES } from '../../../service/contract/audiences.ts';
import { anchorOf } from '../../../service/contract/document-blocks.ts';
import { endpoints } from '../../../service/contract/endpoints.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import { addMinutes } from '../../../kernel/time.ts';
import { Frame } from '../components/frame.tsx';
import { useMessages } from '../components/reader.ts';
import { TrialDialog } from '../components/trial-dialog.tsx';
import { documentOf } from '../document.tsx';
import { docs } from '../messages/compiled/docs.ts';
import { pageEndpoint, serviceAnswer, type Page } from '../page.ts';
import {
  AnswerHeaders,
  Command,
  Errors,
  Inline,
  Operations,
  placeOf,
  Shapes,
  tagsOf,
  TryLink,
  type SampleProps,
} from './docs/reference.tsx';
import { commandFor, EXAMPLES, isTried, samplesOf, trialOf } from './docs/samples.ts';
import { ALL_TOOLS, Tools, toolPlace } from './docs/tools.tsx';
import { DEMO_MINUTES, visitorOf } from './landing.tsx';

const TABLE: readonly Endpoint[] = Object.values(endpoints);

const ContentsList = () => (
  <ul dir="ltr" lang="en">
    {tagsOf(TABLE).map((tag) => (
      <li key={tag}>
        <a href={`#${anchorOf(tag)}`}>{tag}</a>
        <ul>
          {TABLE.filter((e) => e.tag === tag).map((e) => (
            <li key={e.id}>
              <a href={`#${placeOf(e)}`}>
                <span class="method">{e.method}</span> <code>{e.path}</code>
              </a>
            </li>
          ))}
        </ul>
      </li>
    ))}
    <li>
      <a href="#tool-server">Tool server of AI assistants</a>
      <ul>
        {ALL_TOOLS.map((tool) => (
          <li key={tool.name}>
            <a href={`#${toolPlace(tool)}`}>
              <code>{tool.name}</code>
            </a>
          </li>
        ))}
      </ul>
    </li>
    <li>
      <a href="#headers">Headers of answers</a>
    </li>
    <li>
      <a href="#errors">Errors</a>
    </li>
    <li>
      <a href="#shapes">Shapes</a>
    </li>
  </ul>
);

/** Beside the text on wide screens, folded above it on others. */
const Contents = () => {
  const t = useMessages(docs);
  return (
    <>
      <nav class="contents beside" aria-label={t.contents}>
        <ContentsList />
      </nav>
      <details class="contents above">
        <summary>{t.contents}</summary>
        <ContentsList />
      </details>
    </>
  );
};

const Start = ({ baseUrl, samples }: SampleProps) => {
  const t = useMessages(docs);
  const first = [
    { e: endpoints.getLinks, title: t.shop },
    { e: endpoints.getBranchMenu, title: t.menu },
    { e: endpoints.getBookingSlots, title: t.times },
  ];
  return (
    <section aria-labelledby="start">
      <h2 id="start">{t.start}</h2>
      <p class="muted">{samples === EXAMPLES ? t.withoutDemo : t.withDemo}</p>
      <ol class="cards">
        {first.map(({ e, title }) => (
          <li key={e.id} class="card">
            <h3>{title}</h3>
            <Command line={commandFor(baseUrl, e, samples)} label={title}>
              <TryLink e={e} samples={samples} />
            </Command>
          </li>
        ))}
      </ol>
    </section>
  );
};

const OTHER_FORMS = ['/docs.md', '/openapi.json', '/llms.txt'];

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
      <Start {...sent} />
    </>
  );
};

const Docs = ({ name, baseUrl, samples }: SampleProps & { readonly name: string }) => (
  <Frame shop={null}>
    <div class="docs">
      <Contents />
      <div class="text">
        <Overview {...{ name, baseUrl, samples }} />
        <div id="island">
          <TrialDialog operation={null} state={{ kind: 'idle' }} />
        </div>
        <div class="reference" lang="en" dir="ltr">
          <p>
            <Inline text={AUDIENCES.public.introduction} />
          </p>
          <Operations table={TABLE} {...{ baseUrl, samples }} />
          <Tools baseUrl={baseUrl} />
          <AnswerHeaders />
          <Errors />
          <Shapes table={TABLE} />
        </div>
      </div>
    </div>
  </Frame>
);

export const docsPage: Page = {
  endpoint: pageEndpoint('docsPage', '/docs'),
  handler: (parts) => async (input) => {
    const { app, baseUrl, demo } = parts;
    const reader = visitorOf(input);
    const t = docs[reader.language];
    const samples = (await samplesOf(parts)) ?? EXAMPLES;
    const { name } = app.service;
    const page = documentOf(parts, {
      reader,
      chosen: input.query.lang,
      title: t.title({ name }),
      description: t.lead,
      colors: null,
      canonical: '/docs',
      styles: ['docs'],
      body: <Docs {...{ name, baseUrl, samples }} />,
      island: { name: 'docs', props: { operations: TABLE.filter(isTried).map((e) => trialOf(e, samples)) } },
      alternates: { 'text/markdown': '/docs.md', 'application/json': '/openapi.json' },
    });
    return serviceAnswer(page, demo === null ? null : addMinutes(app.clock.now(), DEMO_MINUTES));
  },
};
