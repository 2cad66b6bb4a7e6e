/** When two saved addresses are the same place (Decisions 8). */
import type { DeliveryAddress } from './checkout.ts';
import { westernDigits } from '../../kernel/digits.ts';
import { folded } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { SavedChannel } from '../../customers/domain/address.ts';

/** Whether place names are only unique within a branch, such as a mall floor or an umbrella. */
const IS_BRANCH_SPECIFIC: Readonly<Record<SavedChannel, boolean>> = {
  outside: false,
  in_mall: true,
  umbrella: true,
};

const foldedOrNull = (text: string | null): string | null => {
  const plain = text === null ? '' : folded(westernDigits(text));
  return plain === '' ? null : plain;
};

/**
 * Ignores Unicode form, case, spacing and kind of digits. Landmarks count, because many streets have no
 * numbers; notes and the pin do not. May exceed an index entry, so it is stored as a digest.
 */
export const addressKey = (channel: SavedChannel, branchId: Uuid, address: DeliveryAddress): string =>
  JSON.stringify([
    channel,
    IS_BRANCH_SPECIFIC[channel] ? branchId : null,
    foldedOrNull(address.addressLine),
    foldedOrNull(address.placeName),
    foldedOrNull(address.floor),
    foldedOrNull(address.unitNumber),
    foldedOrNull(address.landmark),
  ]);
