/** Who orders: a phone that this device has proven, its name here, its saved places. */
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import { westernDigits } from '../../../../kernel/digits.ts';
import type { OrderIslandProps } from '../../components/order.ts';
import { forgetDevice, readDevice } from '../device.ts';
import type { KnownPlace } from './checkout.ts';
import { codeOf } from './refusals.ts';

export interface Guest {
  readonly token: string;
  /** As it is typed in Egypt. */
  readonly phone: string;
  readonly name: string | null;
  readonly places: readonly KnownPlace[];
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

export const asTyped = (phone: string): string =>
  phone.startsWith('20') ? `0${phone.slice(2)}` : `+${phone}`;

const MOST_PLACES = 5;

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
  const here = (places ?? []).filter((place) => place.channel === channel).slice(0, MOST_PLACES);
  return {
    ...{ token, phone: asTyped(owner.phone), name: owner.name },
    places: here.map((place) => ({ key: place.last_used_at, place, stale: null })),
  };
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
