/** Members of `shops/demo-activity.json`. */
import type { GeoPoint } from '../../../kernel/geo.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/names.ts';
import type { Phone } from '../../../kernel/phone.ts';
import { shopIdOf, uuid5 } from '../../../shopfile/app/entity-ids.ts';
import type { HistoryScenario } from './history.ts';
import type { OrderScenario } from './orders.ts';

/** A member of `shops/demo-activity.json`. */
export interface MemberScenario {
  readonly key: string;
  readonly shop: string;
  readonly name: string;
  readonly language: Language;
  readonly phone: Phone;
  readonly joined_days_ago: number;
  readonly addresses?: readonly AddressScenario[];
  readonly history: readonly HistoryScenario[];
}

/** Where orders went, on their branch and channel. */
interface AddressScenario {
  readonly label?: string;
  readonly address: OrderScenario['address'];
  readonly point?: GeoPoint;
  readonly delivery_notes?: string;
}

/** The same at every start. */
export const idsOf = ({
  shop,
  key,
}: Pick<MemberScenario, 'shop' | 'key'>): { readonly cardId: Uuid; readonly customerId: Uuid } => ({
  cardId: uuid5(shopIdOf(shop), `demo card\n${key}`),
  customerId: uuid5(shopIdOf(shop), `demo member\n${key}`),
});
