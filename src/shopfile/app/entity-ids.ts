/** Deterministic ids for entities whose file gives none (Decisions 16). */
import { createHash } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';

/** Entity kinds as the locator names them, with the label used in messages. */
export const KIND_LABELS = {
  branch: 'branch',
  zone: 'delivery zone',
  table: 'table',
  station: 'station',
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
export type EntityKind = keyof typeof KIND_LABELS;

/** UUID namespace of shop ids. */
const SHOPS: Uuid = '8d3f6b1e-52c7-5b1a-9c0e-0f4a7d2e6b90';

/** UUID version 5 (RFC 9562): SHA-1 of the namespace bytes and the UTF-8 name. */
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

/** Unicode NFC, so that names that look the same compare equal. */
export const normalizedName = (name: string): string => name.normalize('NFC');

/** By the key if there is one, else by the name in the main language. */
export const derivedId = (
  shopId: Uuid,
  kind: EntityKind,
  parent: Uuid,
  by: { readonly key: string } | { readonly name: string },
): Uuid => {
  const handle = 'key' in by ? `key:${by.key}` : `name:${normalizedName(by.name)}`;
  return uuid5(shopId, `${kind}\n${parent}\n${handle}`);
};

export const joinId = (shopId: Uuid, branchId: Uuid, tableIds: readonly Uuid[]): Uuid =>
  uuid5(shopId, `join\n${branchId}\n${[...tableIds].sort().join('\n')}`);
