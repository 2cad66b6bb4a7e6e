/** A guest with a loyalty card at the order page, by what stands there. */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { aProgramme, type MemberGuest } from '../people/reward-members.ts';
import { anOrder, placed, type Order, type OrderInput } from '../people/guests.ts';
import type { World } from '../server/world.ts';
import { SLUG } from '../shops/cafe.ts';
import { aQuotingMenu } from '../shops/quoting-shop.ts';
import type { OpenedPage } from './browser.ts';
import { aShopThatDelivers } from './ordering.ts';

/** A point for each pound; a coffee for 10 points, any item for 50. */
export const aShopWithRewards = (
  opening: Parameters<typeof aShopThatDelivers>[0] = {},
  overrides: Partial<ShopFile> = {},
): ShopFile => ({
  ...aShopThatDelivers(opening),
  ...{ menu: aQuotingMenu(), loyalty: aProgramme() },
  ...overrides,
});

export const CARD_WORDS = {
  en: {
    ...{ hello: 'Hello, منى', same: 'The same again', reward: 'Reward: A free coffee' },
    ...{ spend: /^Spend 10 points, save EGP 45/, takeBack: /^Without the reward/ },
    ...{ have: 'You have 25 points', left: 'You have 15 points left' },
    forecast: '+45 points with this order',
  },
  ar: {
    ...{ hello: 'أهلًا يا منى', same: 'نفس الطلب', reward: 'مكافأة: قهوة هدية' },
    ...{ spend: /^اصرف 10 نقاط، توفر 45/, takeBack: /^بدون المكافأة/ },
    ...{ have: 'رصيدك 25 نقطة', left: 'يتبقى لك 15 نقطة' },
    forecast: 'تكسب 45 نقطة مع هذا الطلب',
  },
} as const;

interface Keeping {
  /** Whether the phone was proven on it. Default: yes. */
  readonly isProven?: boolean;
}

/** The browser of a device that keeps the card. */
export const keepCardOn = async (
  { page, go }: OpenedPage,
  { memberToken, deviceToken }: Pick<MemberGuest, 'memberToken' | 'deviceToken'>,
  { isProven = true }: Keeping = {},
): Promise<void> => {
  await go(`/${SLUG}`);
  await page.evaluate(
    ([card, token, device]) => {
      localStorage.setItem(card, JSON.stringify(token));
      if (device !== null)
        localStorage.setItem('ahwa-device', JSON.stringify({ token: device, until: Date.now() + 1e9 }));
    },
    [`ahwa-card ${SLUG}`, memberToken, isProven ? deviceToken : null] as const,
  );
};

/** An order of the card's owner, by default one Turkish coffee to collect. */
export const orderedBy = (
  world: World,
  member: MemberGuest,
  order: Partial<OrderInput> = {},
): Promise<Order> =>
  placed(
    world,
    anOrder({
      ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
      ...order,
    }),
  );
