/** `/track/{id}`: an order, for whoever has its link. Without script it is followed by reloading. */
import { parseUuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { trackOrder } from '../../../orders/app/tracking.ts';
import type { App } from '../../../platform/app/app.ts';
import { activeBranches, getBrand } from '../../../shops/app/shop.ts';
import { directionsUrl } from '../../../shops/domain/shop.ts';
import { Frame } from '../components/frame.tsx';
import { translated } from '../components/names.ts';
import { useMessages } from '../components/reader.ts';
import { hasEnded, type TrackedOrder } from '../components/tracked-order.ts';
import { Tracking, type BranchContact, type TrackingProps } from '../components/tracking.tsx';
import { frame } from '../messages/compiled/frame.ts';
import { track } from '../messages/compiled/track.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf } from '../shop-frame.ts';
import type { ShopFrame } from '../components/frame.tsx';

const TrackPage = ({ shop, props }: { readonly shop: ShopFrame; readonly props: TrackingProps }) => {
  const around = useMessages(frame);
  return (
    <Frame shop={shop}>
      <div id="island">
        <Tracking {...props} />
      </div>
      {!hasEnded(props.order) && (
        <noscript>
          <p class="actions">
            <a class="button wide" href="">
              {around.refresh}
            </a>
          </p>
        </noscript>
      )}
    </Frame>
  );
};

/** An archived branch has none. */
const contactOf = async (app: App, order: TrackedOrder): Promise<BranchContact> => {
  const { body: branches } = await activeBranches(app)(order.org_id);
  const branch = branches.find(({ id }) => id === order.branch_id);
  return branch === undefined
    ? { phone: null, directionsUrl: null }
    : { phone: branch.phone, directionsUrl: directionsUrl(branch) };
};

export const trackPage: Page = {
  endpoint: pageEndpoint('trackPage', '/track/{id}', { cache: 'no-store', limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const id = parseUuid(input.path['id'] ?? '');
    if (id === null) throw new Refusal('NOT_FOUND');
    const { app } = parts;
    const { body: order } = await trackOrder(app)({ path: { id } });
    const { body: brand } = await getBrand(app)({ query: { org_id: order.org_id } });
    const reader = readerOf(input, brand);
    const branch = await contactOf(app, order);
    const props: TrackingProps = { order, branch, readAt: app.clock.now() };
    return shopDocument(parts, input, brand, {
      reader,
      title: track[reader.language].title({ shop: translated(reader.language, brand) }),
      canonical: null,
      styles: ['track'],
      body: <TrackPage shop={shopFrameOf(brand, reader.language)} props={props} />,
      island: { name: 'track', props },
    });
  },
};
