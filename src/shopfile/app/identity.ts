/** Ids that are not given are derived, the same every time (Decisions 16). */
import { createHash } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';

/** What has an id of its own in a shop, by the locator's word for it: what people call it in a sentence. */
export const KIND_WORDS = {
  branch: 'branch',
  zone: 'delivery zone',
  table: 'table',
  category: 'category',
  addon: 'add-on',
  modifier_group: 'modifier group',
  item: 'item',
  optional: 'optional',
  combo: 'combo',
  slot: 'slot',
  deal: 'deal',
  discount: 'discount',
  reward: 'reward',
  link: 'link',
  staff: 'member of staff',
} as const;
export type ThingKind = keyof typeof KIND_WORDS;

/** The namespace of the shops themselves. */
const SHOPS: Uuid = '8d3f6b1e-52c7-5b1a-9c0e-0f4a7d2e6b90';

/** A UUID of version 5: SHA-1 of the namespace's bytes and the name in UTF-8 (RFC 9562). */
export const uuid5 = (namespace: Uuid, name: string): Uuid => {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

export const shopIdOf = (slug: string): Uuid => uuid5(SHOPS, slug);

/** The form in which names are compared: what looks the same is the same. */
export const sameForm = (name: string): string => name.normalize('NFC');

/** The id of a thing by what tells it from its siblings: its key, else its name in the main language. */
export const derivedId = (
  shopId: Uuid,
  kind: ThingKind,
  parent: Uuid,
  by: { readonly key: string } | { readonly name: string },
): Uuid => {
  const handle = 'key' in by ? `key:${by.key}` : `name:${sameForm(by.name)}`;
  return uuid5(shopId, `${kind}\n${parent}\n${handle}`);
};

/** A group of tables is its tables. */
export const joinId = (shopId: Uuid, branchId: Uuid, tableIds: readonly Uuid[]): Uuid =>
  uuid5(shopId, `join\n${branchId}\n${[...tableIds].sort().join('\n')}`);
