/** Shops of somebody who attacks the readers of their pages: in every text stands what ends a script or begins one. */
import { readFileSync } from 'node:fs';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';

/** At most 60 characters with the number, as short labels are. */
const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<!--<script>alert(2)//',
  '"><img src=x onerror=alert(3)>',
  "' onmouseover='alert(4)'",
  '\u200f{{7*7}}&lt;b&gt;javascript:alert(6)',
  ']]><svg/onload=alert(7)>`${8}`',
] as const;

/** Of another host: no page may ask for it. */
const PICTURE = 'https://attack.example/picture.png';

/** Fields that name a text of another place. */
const REFERENCES = ['size', 'default_size', 'included_size'];
const PICTURES = ['image_url', 'cover_image_url', 'logo_url', 'card_image_url'];
const PLAIN_TEXTS = ['label', 'section', 'description'];

const isText = (value: unknown): value is { ar: string } =>
  typeof value === 'object' && value !== null && 'ar' in value && typeof value.ar === 'string';

/** A greeting refuses braces other than its placeholder. */
const withoutBraces = ({ ar, en }: { readonly ar: string; readonly en: string }) => ({
  ar: ar.replace(/[{}]/g, ''),
  en: en.replace(/[{}]/g, ''),
});

/** Every text replaced by an attack, equal ones by the same. */
const attacked = (file: unknown): unknown => {
  const known = new Map<string, { readonly ar: string; readonly en: string }>();
  let count = 0;
  const next = (): string => `${(count += 1)} ${ATTACKS[count % ATTACKS.length] ?? ''}`;
  const attackFor = (text: string) => {
    const attack = known.get(text) ?? { ar: next(), en: next() };
    known.set(text, attack);
    return attack;
  };
  const walk = (value: unknown, key = ''): unknown => {
    if (isText(value)) return key === 'message' ? withoutBraces(attackFor(value.ar)) : attackFor(value.ar);
    if (typeof value === 'string' && PICTURES.includes(key)) return PICTURE;
    if (typeof value === 'string' && PLAIN_TEXTS.includes(key)) return attackFor(value).en;
    if (typeof value === 'string' && REFERENCES.includes(key)) return attackFor(value).ar;
    if (Array.isArray(value)) return value.map((each) => walk(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]));
  };
  return walk(file);
};

/** The demo shop of this name, attacked. */
export const aHostileShop = (slug: string): ShopFile =>
  attacked(JSON.parse(readFileSync(`shops/${slug}.json`, 'utf8'))) as ShopFile;
