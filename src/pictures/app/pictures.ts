import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { PictureWidth } from '../domain/served.ts';
import { originalById } from '../store/pictures.ts';
import './render-queue.ts';

/** WebP of at most this width. Throws NOT_FOUND and UNAVAILABLE. */
export const pictureBytes =
  (app: Pick<App, 'db' | 'pictureRenderer' | 'renderQueue'>) =>
  ({
    orgId,
    id,
    width,
  }: {
    readonly orgId: Uuid;
    readonly id: Uuid;
    readonly width: PictureWidth;
  }): Promise<Uint8Array> =>
    app.renderQueue.get(`${id}/${width}`, async () => {
      const original = await originalById(app.db.kysely, orgId, id);
      if (original === null) throw new Refusal('NOT_FOUND');
      return app.pictureRenderer.resize(original, width);
    });
