/** Addresses that a customer ordered to: when two of them are the same place (Decisions 8). */
import type { DeliveryAddress } from './checkout.ts';
import { westernDigits } from '../../kernel/digits.ts';
import { folded } from '../../kernel/freetext.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** What is picked up has no address (Shapes, CustomerAddress). */
export type SavedChannel = Exclude<OnlineChannel, 'pickup'>;

/** Whether a place is told within its branch: a floor of that mall, an umbrella of that beach. */
const IS_OF_BRANCH: Readonly<Record<SavedChannel, boolean>> = {
  outside: false,
  in_mall: true,
  umbrella: true,
};

const foldedOrNull = (text: string | null): string | null => {
  const plain = text === null ? '' : folded(westernDigits(text));
  return plain === '' ? null : plain;
};

/**
 * The same for every way to write the same place: the words of the address in one Unicode form, case, spacing and kind of
 * digits. A landmark counts, for many streets have no numbers; notes do not, and the pin does not: people drop it anew
 * each time. It can be longer than an index takes, so that it is stored as a digest.
 */
export const addressKey = (channel: SavedChannel, branchId: Uuid, address: DeliveryAddress): string =>
  JSON.stringify([
    channel,
    IS_OF_BRANCH[channel] ? branchId : null,
    foldedOrNull(address.addressLine),
    foldedOrNull(address.placeName),
    foldedOrNull(address.floor),
    foldedOrNull(address.unitNumber),
    foldedOrNull(address.landmark),
  ]);
