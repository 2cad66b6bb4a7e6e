import type { Uuid } from '../../kernel/ids.ts';
import { shopScope } from '../../kernel/change.ts';
import type { Language } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { pictureBytes } from '../../pictures/app/pictures.ts';
import { isStored, originalById } from '../../pictures/app/shared.ts';
import { pictureIdIn, type PictureWidth } from '../../pictures/domain/served.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import { shopOf } from '../store/shop.ts';
import { getLinks } from './shop.ts';

/** A picture of an active shop as WebP. Throws NOT_FOUND and UNAVAILABLE. */
export const getPicture =
  (app: App) =>
  async ({ id, width }: { readonly id: Uuid; readonly width: PictureWidth }): Promise<Answer<Uint8Array>> => {
    const { orgId, version } = await app.db.snapshot(async (tx) => {
      const owner = await shopOf(tx, id, 'picture');
      if (owner === null || !(await isStored(tx, owner, id))) throw new Refusal('NOT_FOUND');
      return { orgId: owner, version: await versionOf(tx, owner) };
    });
    const body = await pictureBytes(app)({ orgId, id, width });
    return { body, orgId, scopes: [shopScope], version, validUntil: null };
  };

/** JPEG with name, tagline, logo and cover of an active shop. Throws NOT_FOUND and UNAVAILABLE. */
export const getSocialCard =
  (app: App) =>
  async ({
    slug,
    language,
  }: {
    readonly slug: string;
    readonly language: Language | null;
  }): Promise<Answer<Uint8Array>> => {
    const { body: page, ...answer } = await getLinks(app)({ query: { slug } });
    const { brand } = page;
    const shown = language ?? brand.main_language;
    const original = (address: string | null | undefined): Promise<Uint8Array | null> => {
      const id = pictureIdIn(address);
      return id === null ? Promise.resolve(null) : originalById(app.db.kysely, answer.orgId, id);
    };
    // The version names the content: no card outlives a change of its shop.
    const key = `card/${answer.orgId}/${shown}/${answer.version}`;
    const body = await app.renderQueue.get(key, async () =>
      app.pictureRenderer.socialCard({
        title: brand.name_translations?.[shown] ?? brand.name,
        subtitle: (shown === 'ar' ? page.tagline_ar : page.tagline_en) ?? null,
        direction: shown === 'ar' ? 'rtl' : 'ltr',
        colors: {
          background: brand.background_color,
          foreground: brand.foreground_color,
          accent: brand.accent_color,
        },
        logo: await original(brand.logo_url),
        cover: await original(page.cover_image_url),
      }),
    );
    return { ...answer, body };
  };
