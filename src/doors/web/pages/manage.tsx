/** `/manage/{token}`: a booking, to whoever holds its link. */
import { bookingInfoForItsGuest } from '../../../bookings/app/branches.ts';
import { getBooking } from '../../../bookings/app/booking-view.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { getBrand } from '../../../shops/app/shop.ts';
import type { getBrand as brandContract } from '../../../shops/contract/shop.ts';
import { bookingBranchOf } from '../booking-branch.tsx';
import { ManageView, type ManageProps } from '../components/booking/manage-view.tsx';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { translated } from '../components/names.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { booking as messages } from '../messages/compiled/booking.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf } from '../shop-frame.ts';

type Brand = ReplyOf<typeof brandContract>;

const ignore = (): void => undefined;

const ManagePage = ({ brand, island }: { readonly brand: Brand; readonly island: ManageProps }) => {
  const t = useMessages(messages);
  const { language } = useReader();
  return (
    <Frame shop={shopFrameOf(brand, language)}>
      <div class="manage">
        <div id="island">
          <ManageView
            {...{ ...island, ownZone: null, message: null, isAlive: false }}
            {...{ onChange: ignore, onCancel: ignore }}
          />
        </div>
        <noscript>
          <p class="notice">
            <Icon name="phone" />
            {t.byPhone}
          </p>
        </noscript>
      </div>
    </Frame>
  );
};

export const managePage: Page = {
  endpoint: pageEndpoint('managePage', '/manage/{token}', {
    cache: 'no-store',
    limit: 'booking_and_loyalty_reads',
  }),
  handler: (parts) => async (input) => {
    const { app } = parts;
    const booking = await getBooking(app)({ path: { manage_token: input.path['token'] ?? '' } });
    const { body: info } = await bookingInfoForItsGuest(app)(booking.branch_id);
    const { body: brand } = await getBrand(app)({ query: { org_id: info.org_id } });
    const reader = readerOf(input, brand);
    const branch = bookingBranchOf(info, reader);
    const bookAddress = `/${brand.slug ?? ''}/book?branch=${branch.id}&party=${booking.party_size}`;
    const island: ManageProps = { booking, branch, isEnabled: info.enabled, bookAddress };
    return shopDocument(parts, input, brand, {
      reader,
      canonical: null,
      title: messages[reader.language].yourBooking({ shop: translated(reader.language, brand) }),
      styles: ['booking'],
      body: <ManagePage brand={brand} island={island} />,
      island: { name: 'manage', props: island },
    });
  },
};
