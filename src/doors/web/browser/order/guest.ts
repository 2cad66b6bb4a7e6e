/** Who orders: a phone that this device has proven, its name here, its saved places, its card. */
import { useEffect, useState } from 'preact/hooks';
import type { Client, Reply } from '../../../../client/client.ts';
import { westernDigits } from '../../../../kernel/digits.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import { forgetDevice, readDevice } from '../device.ts';
import { local, readStored } from '../storage.ts';
import { codeOf } from './refusals.ts';

export type SavedPlace = Reply<'pastLocations'>[number];

export interface Guest {
  readonly token: string;
  /** As it is typed in Egypt. */
  readonly phone: string;
  readonly name: string | null;
  readonly places: readonly SavedPlace[];
}

/** Digits with the country code, an Egyptian number with or without its own. */
const digitsOf = (phone: string): string =>
  westernDigits(phone)
    .replace(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^0(?=1)/, '20');

/** Whether two ways of writing are surely one phone: the server decides in the end. */
export const isSamePhone = (a: string, b: string): boolean =>
  digitsOf(a) === digitsOf(b) && digitsOf(a) !== '';

const asTyped = (phone: string): string => (phone.startsWith('20') ? `0${phone.slice(2)}` : `+${phone}`);

const guestOf = async (
  client: Client,
  { orgId, branch, channel }: OrderIslandProps,
  token: string,
): Promise<Guest | null> => {
  const headers = { 'x-device-token': token };
  const { body: owner } = await client.getDevice({ query: { org_id: orgId }, headers });
  if (owner === null) return null;
  const { body: places } =
    channel === 'pickup'
      ? { body: [] }
      : await client.pastLocations({ query: { org_id: orgId, branch_id: branch.id }, headers });
  const here = (places ?? []).filter((place) => place.channel === channel);
  return { token, phone: asTyped(owner.phone), name: owner.name, places: here };
};

/** Null: nobody is known, or not yet. */
export const useGuest = (
  client: Client,
  shop: OrderIslandProps,
): readonly [Guest | null, (guest: Guest | null) => void] => {
  const [guest, setGuest] = useState<Guest | null>(null);
  useEffect(() => {
    const token = readDevice();
    if (token === null) return;
    guestOf(client, shop, token).then(setGuest, (fault: unknown) => {
      if (codeOf(fault) === 'PHONE_NOT_VERIFIED') forgetDevice();
    });
  }, []);
  return [guest, setGuest];
};

/** The token of the guest's loyalty card at the shop, which the page of the card keeps; null: none. */
export const readCard = (slug: string): string | null => {
  const kept = readStored(local, `ahwa-card ${slug}`);
  return typeof kept === 'string' ? kept : null;
};
