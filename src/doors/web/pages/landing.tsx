/** `/` for browsers: what the service is. */
import type { ComponentChildren } from 'preact';
import { contactOf } from '../../../service/contract/contact.ts';
import type { ServiceProfile } from '../../../service/app/about.ts';
import { getBrand } from '../../../shops/app/shop.ts';
import { addMinutes } from '../../../kernel/time.ts';
import type { Translations } from '../../../kernel/names.ts';
import { Frame } from '../components/frame.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { LandingDrawing } from '../components/landing-drawing.tsx';
import { translated } from '../components/names.ts';
import { Price } from '../components/price.tsx';
import { useMessages, useReader, type Reader } from '../components/reader.ts';
import { documentOf, type Site } from '../document.tsx';
import { landing } from '../messages/compiled/landing.ts';
import { pageEndpoint, serviceAnswer, type Page, type PageInput, type PageParts } from '../page.ts';

interface DemoShop {
  readonly slug: string;
  readonly name: string;
  readonly name_translations?: Translations;
}

interface LandingData {
  readonly service: ServiceProfile;
  readonly shops: readonly DemoShop[];
}

const hrefOf = (contact: string): string | null => {
  const reached = contactOf(contact);
  if ('url' in reached) return reached.url;
  return 'email' in reached ? `mailto:${reached.email}` : null;
};

const Contact = ({ contact }: { readonly contact: string }) => {
  const href = hrefOf(contact);
  return href === null ? (
    <bdi>{contact}</bdi>
  ) : (
    <a href={href}>
      <bdi dir="ltr">{contact}</bdi>
    </a>
  );
};

const Hero = ({ service, shops }: LandingData) => {
  const t = useMessages(landing);
  const sales = hrefOf(service.contact);
  return (
    <section class="hero">
      <div>
        <h1>{t.heading}</h1>
        <p class="lead">{t.lead({ name: service.name })}</p>
        <p class="actions">
          {sales !== null && (
            <a class="button" href={sales}>
              {t.sales}
            </a>
          )}
          <a class="button quiet" href={shops.length > 0 ? '#demo' : '/docs'}>
            {shops.length > 0 ? t.demoShops : t.readDocs}
          </a>
        </p>
      </div>
      <LandingDrawing />
    </section>
  );
};

interface CardProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
}

const Card = ({ icon, title, children }: CardProps) => (
  <li class="card">
    <Icon name={icon} />
    <h3>{title}</h3>
    {children}
  </li>
);

const Facts = () => {
  const t = useMessages(landing);
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{t.facts}</h2>
      <ul class="cards three">
        <Card icon="tag" title={t.price}>
          <p>{t.priceText}</p>
        </Card>
        <Card icon="calendar" title={t.table}>
          <p>{t.tableText}</p>
        </Card>
        <Card icon="check" title={t.command}>
          <p>
            <code dir="ltr">npm start</code>
          </p>
          <p>{t.commandText}</p>
        </Card>
      </ul>
    </section>
  );
};

const Technical = ({
  href,
  path,
  title,
}: {
  readonly href: string;
  readonly path: string;
  readonly title: string;
}) => (
  <li>
    <a href={href}>
      {title} <code dir="ltr">{path}</code>
    </a>
  </li>
);

const Audiences = () => {
  const t = useMessages(landing);
  return (
    <section aria-labelledby="audiences">
      <h2 id="audiences">{t.audiences}</h2>
      <ul class="cards two">
        <Card icon="mall" title={t.owners}>
          <p>{t.ownersText}</p>
        </Card>
        <Card icon="person" title={t.guests}>
          <p>{t.guestsText}</p>
        </Card>
        <Card icon="code" title={t.developers}>
          <p>{t.developersText}</p>
          <ul class="technical">
            <Technical href="/docs" path="/docs" title={t.reference} />
            <Technical href="/openapi.json" path="/openapi.json" title={t.openapi} />
          </ul>
        </Card>
        <Card icon="chat" title={t.assistants}>
          <p>{t.assistantsText}</p>
          <ul class="technical">
            <Technical href="/docs/tools" path="/mcp" title={t.tools} />
            <Technical href="/llms.txt" path="/llms.txt" title={t.guide} />
          </ul>
        </Card>
      </ul>
    </section>
  );
};

const Plans = ({ service: { plans, contact } }: { readonly service: ServiceProfile }) => {
  const t = useMessages(landing);
  return (
    <section aria-labelledby="plans">
      <h2 id="plans">{t.plans}</h2>
      {plans.length === 0 && <p>{t.ask}</p>}
      <ul class="cards three plans">
        {plans.map((plan) => (
          <li key={plan.name} class="card">
            <h3>
              <bdi>{plan.name}</bdi>
            </h3>
            <p class="amount">
              {plan.monthlyPiastresPerBranch === 0 ? (
                t.free
              ) : (
                <Price amount={plan.monthlyPiastresPerBranch} />
              )}
            </p>
            {plan.monthlyPiastresPerBranch > 0 && <p class="muted">{t.perMonth}</p>}
          </li>
        ))}
      </ul>
      <p class="contact">
        {t.contact} <Contact contact={contact} />
      </p>
    </section>
  );
};

const Demo = ({ shops }: { readonly shops: readonly DemoShop[] }) => {
  const t = useMessages(landing);
  const { language } = useReader();
  return (
    <section aria-labelledby="demo">
      <h2 id="demo">{t.demo}</h2>
      <p>{t.demoText}</p>
      <p class="actions">
        {shops.map((shop) => (
          <a key={shop.slug} class="button quiet" href={`/${shop.slug}`}>
            <bdi>{translated(language, shop)}</bdi>
          </a>
        ))}
      </p>
    </section>
  );
};

const Landing = ({ service, shops }: LandingData) => (
  <Frame shop={null}>
    <div class="landing">
      <Hero service={service} shops={shops} />
      <Facts />
      <Audiences />
      <Plans service={service} />
      {shops.length > 0 && <Demo shops={shops} />}
    </div>
  </Frame>
);

/** schema.org. */
const aboutService = (
  { baseUrl }: Site,
  { name, contact, plans }: ServiceProfile,
  { language }: Reader,
): object => {
  const address = `${baseUrl}/`;
  const reached = contactOf(contact);
  const organization = {
    ...{ '@type': 'Organization', '@id': `${address}#organization`, name, url: address },
    logo: `${baseUrl}/icon.svg`,
    ...('name' in reached
      ? {}
      : { contactPoint: { '@type': 'ContactPoint', contactType: 'sales', ...reached } }),
  };
  const software = {
    ...{ '@type': 'SoftwareApplication', '@id': `${address}#software`, name, url: address },
    ...{ applicationCategory: 'BusinessApplication', operatingSystem: 'Web' },
    description: landing[language].lead({ name }),
    publisher: { '@id': organization['@id'] },
    offers: plans.map((plan) => ({
      ...{ '@type': 'Offer', name: plan.name, priceCurrency: 'EGP' },
      price: (plan.monthlyPiastresPerBranch / 100).toFixed(2),
    })),
  };
  return { '@graph': [organization, software] };
};

/** Minutes for which a page of the service shows demo shops as they were. */
export const DEMO_MINUTES = 1;

const demoShopsOf = async ({ app, demo }: PageParts): Promise<readonly DemoShop[]> => {
  const shops = demo === null ? [] : (await demo()).shops;
  return Promise.all(
    shops.map(async ({ slug }) => ({ ...(await getBrand(app)({ query: { slug } })).body, slug })),
  );
};

/** The reader of a page that belongs to no shop. */
export const visitorOf = ({ query, caller }: PageInput): Reader => ({
  language: query.lang ?? caller.language ?? 'ar',
  digits: 'latn',
});

export const landingPage: Page = {
  endpoint: pageEndpoint('landingPage', '/'),
  handler: (parts) => async (input) => {
    const { service, clock } = parts.app;
    const reader = visitorOf(input);
    const t = landing[reader.language];
    const shops = await demoShopsOf(parts);
    const page = documentOf(parts, {
      reader,
      chosen: input.query.lang,
      title: t.title({ name: service.name }),
      description: t.lead({ name: service.name }),
      colors: null,
      canonical: '/',
      styles: ['landing'],
      body: <Landing service={service} shops={shops} />,
      structuredData: aboutService(parts, service, reader),
    });
    return serviceAnswer(page, parts.demo === null ? null : addMinutes(clock.now(), DEMO_MINUTES));
  },
};
