/** The pictures that a shop file names: read and checked before the import, stored in its transaction. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { deletePictures, savePicture } from '../../pictures/app/shared.ts';
import { isPicturePath, MEDIA_TYPES, PICTURE_PROBLEMS } from '../../pictures/domain/picture.ts';
import type { App } from '../../platform/app/app.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { PictureDownloader, PictureFolder, PictureSpool } from '../../ports.ts';
import type { ShopFile } from '../contract/shopfile.ts';
import { entryPath, fieldPath } from '../domain/json.ts';
import { forgetPictures, locate } from '../store/shopfile.ts';
import { uuid5 } from './entity-ids.ts';
import type { Faults } from './faults.ts';

type Tx = Kysely<Database>;

export interface PictureReference {
  /** Place in the shop file. */
  readonly path: string;
  /** The address of a picture, or its path beside the shop file. */
  readonly source: string;
}

/** A checked picture. Its bytes are read again when it is stored, so that an import holds one picture at a time. */
export interface CheckedPicture {
  readonly source: string;
  readonly id: Uuid;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  /** Null if they can no longer be read. */
  readonly bytes: () => Uint8Array | null;
}

/** `stored` and `removed`: the pictures that an import writes and deletes. */
export interface PictureChanges {
  readonly stored: readonly CheckedPicture[];
  /** References. */
  readonly removed: readonly string[];
}

export const NO_PICTURE_CHANGES: PictureChanges = { stored: [], removed: [] };

export const referencesIn = (file: ShopFile, isInvalid: (path: string) => boolean): PictureReference[] => {
  const { brand, links, menu } = file;
  const entries = (name: 'categories' | 'items' | 'combos'): [string, string | undefined][] =>
    (menu[name] ?? []).map((entry, index) => [
      fieldPath(entryPath(`menu.${name}`, index), 'image_url'),
      entry.image_url,
    ]);
  const fields: [string, string | undefined][] = [
    ['brand.logo_url', brand?.logo_url],
    ['brand.card_image_url', brand?.card_image_url],
    ['links.cover_image_url', links?.cover_image_url],
    ...entries('categories'),
    ...entries('items'),
    ...entries('combos'),
  ];
  return fields.flatMap(([path, source]) =>
    source === undefined || isInvalid(path) ? [] : [{ path, source }],
  );
};

/** The same bytes have the same id in a shop, whatever their reference. */
const pictureIdOf = (shopId: Uuid, bytes: Uint8Array): Uuid =>
  uuid5(shopId, `picture\n${createHash('sha256').update(bytes).digest('hex')}`);

const FILE_PROBLEMS = {
  missing: 'names a file that is not there',
  outside: 'names a file outside the folder of the shop file',
  unreadable: 'names a file that cannot be read',
  'too many bytes': PICTURE_PROBLEMS['too many bytes'],
} as const;

const NO_FOLDER = 'names a file, which needs a shop file in a folder';

/** The bytes of a reference, a problem, or null: an address that is not fetched. */
const bytesOf = async (
  source: string,
  { folder, fetching }: Sources,
): Promise<Uint8Array | { readonly problem: string } | null> => {
  if (isPicturePath(source)) {
    const read = folder?.read(source);
    if (read === undefined) return { problem: NO_FOLDER };
    return 'fault' in read ? { problem: FILE_PROBLEMS[read.fault] } : read;
  }
  const fetched = await fetching?.downloader.download(source);
  if (fetched === undefined) return null;
  return 'bytes' in fetched ? fetched.bytes : { problem: `cannot be fetched: ${fetched.reason}` };
};

export interface PictureFetching {
  readonly downloader: PictureDownloader;
  /** Empty when the import ends. */
  readonly spool: PictureSpool;
}

interface Sources {
  /** Undefined: standard input. */
  readonly folder: PictureFolder | undefined;
  /** Undefined: addresses are not fetched. */
  readonly fetching: PictureFetching | undefined;
}

const rereading = (
  source: string,
  bytes: Uint8Array,
  { folder, fetching }: Sources,
): CheckedPicture['bytes'] => {
  if (fetching !== undefined && !isPicturePath(source)) return fetching.spool.keep(bytes);
  return () => {
    const read = folder?.read(source);
    return read === undefined || 'fault' in read ? null : read;
  };
};

const check = async (
  { pictureRenderer }: Pick<App, 'pictureRenderer'>,
  shopId: Uuid,
  source: string,
  sources: Sources,
): Promise<CheckedPicture | { readonly problem: string } | null> => {
  const bytes = await bytesOf(source, sources);
  if (bytes === null || 'problem' in bytes) return bytes;
  const facts = await pictureRenderer.inspect(bytes);
  if ('fault' in facts) return { problem: PICTURE_PROBLEMS[facts.fault] };
  const { format, width, height } = facts;
  return {
    ...{ source, id: pictureIdOf(shopId, bytes), mediaType: MEDIA_TYPES[format], width, height },
    bytes: rereading(source, bytes, sources),
  };
};

export interface CheckedPictures {
  readonly pictures: readonly CheckedPicture[];
  /** About addresses that could not be fetched. */
  readonly warnings: readonly string[];
}

/** Adds a fault at every place that names an unusable file. */
export const checkPictures = async (
  app: Pick<App, 'pictureRenderer'>,
  shopId: Uuid,
  references: readonly PictureReference[],
  sources: Sources,
  faults: Faults,
): Promise<CheckedPictures> => {
  const pictures: CheckedPicture[] = [];
  const warnings: string[] = [];
  for (const source of new Set(references.map((reference) => reference.source))) {
    const checked = await check(app, shopId, source, sources);
    if (checked === null) continue;
    if (!('problem' in checked)) pictures.push(checked);
    else if (isPicturePath(source)) {
      for (const reference of references)
        if (reference.source === source) faults.add(reference.path, checked.problem);
    } else warnings.push(`the picture ${source} ${checked.problem}`);
  }
  return { pictures, warnings };
};

/** `stored`: the ids of the shop's pictures by reference. */
export const planPictures = (
  stored: ReadonlyMap<string, Uuid>,
  references: readonly PictureReference[],
  pictures: readonly CheckedPicture[],
): PictureChanges => {
  const named = new Set(references.map(({ source }) => source));
  return {
    stored: pictures.filter(({ source, id }) => stored.get(source) !== id),
    removed: [...stored.keys()].filter((source) => !named.has(source)),
  };
};

/** Adds a fault if a file changed since it was checked. */
export const savePictures = async (
  tx: Tx,
  shopId: Uuid,
  { stored, removed }: PictureChanges,
  references: readonly PictureReference[],
  faults: Faults,
): Promise<void> => {
  await locate(
    tx,
    stored.map(({ id }) => ({ id, org_id: shopId, kind: 'picture' })),
  );
  for (const picture of stored) {
    const bytes = picture.bytes();
    if (bytes !== null && pictureIdOf(shopId, bytes) === picture.id)
      await savePicture(tx, shopId, { ...picture, bytes });
    else
      for (const { path, source } of references)
        if (source === picture.source) faults.add(path, 'names a file that changed during the import');
  }
  await deletePictures(tx, shopId, removed);
  if (stored.length + removed.length > 0) await forgetPictures(tx, shopId);
};
