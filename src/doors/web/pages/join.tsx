/** `/{slug}/join`: what the shop's loyalty programme gives, and joining it. */
import { getJoinInfo } from '../../../loyalty/app/join-info.ts';
import { combineAnswers } from '../../../platform/app/answer.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { getBrand } from '../../../shops/app/shop.ts';
import type { getBrand as brandContract } from '../../../shops/contract/shop.ts';
import { NOBODY } from '../components/card/join-form.tsx';
import { JoinView, type JoinProps } from '../components/card/join-view.tsx';
import { Programme } from '../components/card/programme.tsx';
import type { JoinInfo } from '../components/card/shapes.ts';
import { programmeName } from '../components/card/words.ts';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { translated } from '../components/names.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { join as messages } from '../messages/compiled/join.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf, slugIn } from '../shop-frame.ts';
import { manifestAddress } from './manifest.ts';

type Brand = ReplyOf<typeof brandContract>;

const Off = ({ slug }: { readonly slug: string }) => {
  const t = useMessages(messages);
  return (
    <section class="state">
      <Icon name="gift" />
      <h1>{t.off}</h1>
      <p>{t.offHint}</p>
      <p>
        <a class="button" href={`/${slug}`}>
          {t.toPlace}
        </a>
      </p>
    </section>
  );
};

const ignore = (): void => undefined;

const EMPTY = {
  ...{
    joiner: NOBODY,
    faults: [],
    code: null,
    fault: null,
    isBusy: false,
    isAlive: false,
    cardAddress: null,
  },
  ...{ onJoiner: ignore, onCode: ignore, onResend: ignore, onOtherPhone: ignore, onSubmit: ignore },
};

const Joining = ({ info, island }: { readonly info: JoinInfo; readonly island: JoinProps }) => {
  const t = useMessages(messages);
  const { language } = useReader();
  return (
    <div class="loyalty join">
      <h1>
        <bdi>{programmeName(language, info)}</bdi>
      </h1>
      <p class="lead">{t.lead}</p>
      <Programme info={info} />
      <noscript>
        <p class="notice">
          <Icon name="person" />
          {t.noScript}
        </p>
      </noscript>
      <div id="island">
        <JoinView {...EMPTY} asksBirthday={island.asksBirthday} />
      </div>
    </div>
  );
};

interface JoinPageProps {
  readonly brand: Brand;
  readonly info: JoinInfo;
  /** Null: there is no programme now. */
  readonly island: JoinProps | null;
}

const JoinPage = ({ brand, info, island }: JoinPageProps) => {
  const { language } = useReader();
  return (
    <Frame shop={shopFrameOf(brand, language)}>
      {island === null ? <Off slug={brand.slug ?? ''} /> : <Joining info={info} island={island} />}
    </Frame>
  );
};

const islandOf = (brand: Brand, info: JoinInfo): JoinProps | null =>
  info.enabled ? { orgId: brand.org_id, slug: brand.slug ?? '', asksBirthday: info.birthday_enabled } : null;

export const joinPage: Page = {
  endpoint: pageEndpoint('joinPage', '/{slug}/join', { limit: 'booking_and_loyalty_reads' }),
  handler: (parts) => async (input) => {
    const { app } = parts;
    const brand = await getBrand(app)({ query: { slug: slugIn(input) } });
    const info = await getJoinInfo(app)({ query: { org_id: brand.body.org_id } });
    const reader = readerOf(input, brand.body);
    const names = {
      program: programmeName(reader.language, info.body),
      shop: translated(reader.language, brand.body),
    };
    const t = messages[reader.language];
    const island = islandOf(brand.body, info.body);
    const content = shopDocument(parts, input, brand.body, {
      reader,
      title: t.title(names),
      description: t.description(names),
      canonical: `/${brand.body.slug ?? ''}/join`,
      styles: ['loyalty'],
      body: <JoinPage brand={brand.body} info={info.body} island={island} />,
      ...(island === null ? {} : { island: { name: 'join', props: island } }),
      manifest: manifestAddress(brand.body, reader.language),
    });
    return combineAnswers(content, brand, info);
  },
};
