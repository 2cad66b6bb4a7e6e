/** What the shop knows of the card's owner: masked, or in full once the phone is proven on this device. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Client, type Reply } from '../../../../../client/client.ts';
import { forgetCard, readCard } from '../../card.ts';
import { readDevice } from '../../device.ts';

export type OrderNow = Reply<'orderNow'>;

export interface KnownCard {
  readonly token: string;
  readonly context: OrderNow;
  /** The device token that proves the phone of the card; null: it is not proven here. */
  readonly proof: string | null;
}

/** Null: the card of another shop. Throws as the client does. */
export const readContext = async (
  client: Client,
  shop: { readonly slug: string; readonly orgId: string },
  token: string,
  device: string | null,
): Promise<KnownCard | null> => {
  try {
    const { body: context } = await client.orderNow({
      path: { member_token: token },
      ...(device === null ? {} : { headers: { 'x-device-token': device } }),
    });
    if (context === null || context.org_id !== shop.orgId) return null;
    return { token, context, proof: context.verify_required ? null : device };
  } catch (fault) {
    if (fault instanceof ApiError && fault.status === 404) {
      forgetCard(shop.slug);
      return null;
    }
    throw fault;
  }
};

/** Undefined: not known yet. */
export type CardState = KnownCard | null | undefined;

/** `device`: the token of the guest that the page knows. */
export const useCardContext = (
  client: Client,
  shop: { readonly slug: string; readonly orgId: string },
  device: string | null,
) => {
  const [card, setCard] = useState<CardState>(undefined);
  const asked = useRef<string | null | undefined>(undefined);
  /** Returns whether the device proves the phone of the card. */
  const ask = async (proof: string | null): Promise<boolean> => {
    const token = readCard(shop.slug);
    const known = token === null ? null : await readContext(client, shop, token, proof);
    // Another number's proof changes nothing of what is known.
    if (known?.proof == null && card?.proof != null) return false;
    setCard(known);
    return known?.proof != null;
  };
  useEffect(() => {
    const proof = device ?? readDevice();
    if (asked.current === proof) return;
    asked.current = proof;
    ask(proof).catch(() => setCard((known) => known ?? null));
  }, [device]);
  return { card, ask };
};
