/** What a save link of wallet two carries. */
import type { CardFace } from './card-face.ts';
import {
  classIdOf,
  objectIdOf,
  smallLoyaltyClass,
  smallLoyaltyObject,
  type ClassPlace,
} from './loyalty-object.ts';

export interface SavePayload {
  readonly loyaltyClasses?: readonly object[];
  readonly loyaltyObjects: readonly object[];
}

/** What the vendor has. */
export interface KnownToVendor {
  readonly hasClass: boolean;
  readonly hasObject: boolean;
}

/**
 * Payloads, the better first; the second is for a link that is too long. An object that the vendor has is named by its
 * ids. Any other is made by the link itself, so that the vendor learns of a card when its holder saves it.
 */
export const savePayloads = (
  face: CardFace,
  place: ClassPlace,
  { hasClass, hasObject }: KnownToVendor,
): readonly SavePayload[] => {
  const { issuer } = place;
  if (hasObject)
    return [{ loyaltyObjects: [{ id: objectIdOf(issuer, face), classId: classIdOf(issuer, face.orgId) }] }];
  const alone = { loyaltyObjects: [smallLoyaltyObject(face, issuer)] };
  return hasClass ? [alone] : [{ loyaltyClasses: [smallLoyaltyClass(face, place)], ...alone }, alone];
};
