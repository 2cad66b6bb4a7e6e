/** Rewards that a device gives without the server, against the voucher on the phone of the guest. */
import { webcrypto } from 'node:crypto';
import type { TillRewards } from '../../../../src/client/till/quote.ts';
import { readVoucher, type Voucher } from '../../../../src/client/till/voucher.ts';
import { done, refusalOf } from '../../server/requests.ts';
import { cardAddress } from '../../people/members.ts';
import type { SimulatedDevice } from './device.ts';
import type { SpentPoints } from './ledger.ts';
import { REWARD_COST } from './place.ts';
import type { Scene } from './scene.ts';

/** What a guest can get for the voucher at this device. */
export interface Offer {
  readonly text: string;
  readonly voucher: Voucher;
  /** Points. */
  readonly left: number;
  /** Units of the reward. */
  readonly units: number;
}

/** In per cent: the guest looks at the phone again, which has its own line, before the voucher has expired. */
const NEW_VOUCHER_PERCENT = 20;

/** Null: the balance is too small for any reward. */
const shownVoucher = async (scene: Scene): Promise<string | null> => {
  const { chance, place, server } = scene;
  if (scene.shownVoucher !== null && !chance.hits(NEW_VOUCHER_PERCENT)) return scene.shownVoucher;
  const reply = await server.world.get(cardAddress(place.card.memberToken, '/voucher'));
  if (reply.status !== 200 && refusalOf(reply).code === 'REWARD_UNAVAILABLE') return null;
  return (scene.shownVoucher = done('getVoucher', reply).voucher);
};

/** Null: the device gives nothing for what the guest shows. */
export const offerAt = async (scene: Scene, device: SimulatedDevice): Promise<Offer | null> => {
  const settings = device.copy.tillRows()?.branch_settings;
  if (settings?.loyalty == null) return null;
  const { place, now } = scene;
  const text = await shownVoucher(scene);
  if (text === null) return null;
  const keys = settings.loyalty.voucher_keys;
  const read = await readVoucher(text, { orgId: place.orgId, keys, now, subtle: webcrypto.subtle });
  if (!('voucher' in read)) {
    scene.history.say(now, device.name, device.clock, `takes no voucher that is ${read.problem}`);
    if (read.problem === 'expired') scene.shownVoucher = null;
    else throw new Error(`A voucher of the server is ${read.problem}.`);
    return null;
  }
  const left = device.vouchers.left(read.voucher);
  const units = Math.floor(left / REWARD_COST);
  return units === 0 ? null : { text, voucher: read.voucher, left, units };
};

export const claiming = (
  { place }: Scene,
  { voucher, left }: Offer,
  { lineIndex, units }: { readonly lineIndex: number; readonly units: number },
): TillRewards => ({ claims: [{ rewardId: place.rewardId, lineIndex, units }], voucher, left });

export const spentOn = ({ voucher: { id, limit } }: Offer, units: number): SpentPoints => ({
  cost: units * REWARD_COST,
  voucher: { id, limit },
});
