/** The pictures of passes, which all cards of a shop share: nine files take 150 ms to draw. */
import type { Kysely } from 'kysely';
import { shopScope } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { nameIn } from '../../../kernel/names.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { originalById } from '../../../pictures/app/shared.ts';
import type { Answer } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { versionOf } from '../../../platform/store/change-log.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { PassLook, PassPictures } from '../../../ports.ts';
import { brandOf } from '../../../shops/app/shared.ts';
import type { Brand } from '../../../shops/domain/shop.ts';
import type { CardFace } from '../../domain/card-face.ts';

/** Shops whose pictures are kept; those of a photo have 400 KB. */
const KEPT = 32;

export class PassPictureCache {
  readonly #made = new Map<string, Promise<PassPictures>>();

  get(key: string, make: () => Promise<PassPictures>): Promise<PassPictures> {
    const known = this.#made.get(key) ?? make();
    // The newest stand last.
    this.#made.delete(key);
    this.#made.set(key, known);
    known.catch(() => this.#made.delete(key));
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= KEPT) break;
      this.#made.delete(oldest);
    }
    return known;
  }
}

type Look = Omit<PassLook, 'logo' | 'strip'>;

const lookOf = (brand: Brand, subtitle: string | null): Look => ({
  title: nameIn(brand.mainLanguage, brand),
  subtitle,
  direction: brand.mainLanguage === 'ar' ? 'rtl' : 'ltr',
  colors: {
    background: brand.backgroundColor,
    foreground: brand.foregroundColor,
    accent: brand.accentColor,
  },
});

const original = (db: Kysely<Database>, orgId: Uuid, id: Uuid | null): Promise<Uint8Array | null> =>
  id === null ? Promise.resolve(null) : originalById(db, orgId, id);

/** The id of a picture names its content. */
export const passPicturesOf = (
  { db, pictureRenderer, passPictures }: Pick<App, 'db' | 'pictureRenderer' | 'passPictures'>,
  brand: Brand,
  face: CardFace,
): Promise<PassPictures> => {
  const { orgId, logoPictureId, cardPictureId } = brand;
  const look = lookOf(brand, face.programName[brand.mainLanguage]);
  return passPictures.get(JSON.stringify([orgId, logoPictureId, cardPictureId, look]), async () =>
    pictureRenderer.passPictures({
      ...look,
      logo: await original(db.kysely, orgId, logoPictureId),
      strip: await original(db.kysely, orgId, cardPictureId),
    }),
  );
};

/** The logo of an active shop for the vendor of wallet two: PNG of 660 pixels. Throws NOT_FOUND. */
export const getShopLogo =
  (app: Pick<App, 'db' | 'pictureRenderer' | 'renderQueue'>) =>
  async (id: Uuid): Promise<Answer<Uint8Array>> => {
    const { brand, version } = await app.db.snapshot(async (tx) => ({
      brand: await brandOf(tx, id),
      version: await versionOf(tx, id),
    }));
    if (brand === null) throw new Refusal('NOT_FOUND');
    const body = await app.renderQueue.get(`logo/${id}/${version}`, async () =>
      app.pictureRenderer.shopMark({
        ...lookOf(brand, null),
        ...{ logo: await original(app.db.kysely, id, brand.logoPictureId), strip: null },
      }),
    );
    return { body, orgId: id, scopes: [shopScope], version, validUntil: null };
  };
