import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Tx = Kysely<Database>;

export interface StoredPicture {
  readonly source: string;
  readonly id: Uuid;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** The id of each stored picture, by its reference, in the order of references. */
export const pictureIdsOf = async (tx: Tx, orgId: Uuid): Promise<ReadonlyMap<string, Uuid>> => {
  const rows = await tx
    .selectFrom('picture')
    .select(['source', 'id'])
    .where('org_id', '=', orgId)
    .orderBy(sql`source collate "C"`)
    .execute();
  return new Map(rows.map(({ source, id }) => [source, id]));
};

export const savePicture = async (tx: Tx, orgId: Uuid, picture: StoredPicture): Promise<void> => {
  const { source, id, width, height } = picture;
  const columns = { id, media_type: picture.mediaType, width, height, bytes: Buffer.from(picture.bytes) };
  await tx
    .insertInto('picture')
    .values({ org_id: orgId, source, ...columns })
    .onConflict((conflict) => conflict.columns(['org_id', 'source']).doUpdateSet(columns))
    .execute();
};

export const deletePictures = async (tx: Tx, orgId: Uuid, sources: readonly string[]): Promise<void> => {
  if (sources.length === 0) return;
  await tx.deleteFrom('picture').where('org_id', '=', orgId).where('source', 'in', sources).execute();
};

/** Null if no reference of the shop leads to it. */
export const originalById = async (db: Tx, orgId: Uuid, id: Uuid): Promise<Uint8Array | null> => {
  const row = await db
    .selectFrom('picture')
    .select('bytes')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row?.bytes ?? null;
};

export const isStored = async (db: Tx, orgId: Uuid, id: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('picture')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

export const originalBySource = async (db: Tx, orgId: Uuid, source: string): Promise<Uint8Array | null> => {
  const row = await db
    .selectFrom('picture')
    .select('bytes')
    .where('org_id', '=', orgId)
    .where('source', '=', source)
    .executeTakeFirst();
  return row?.bytes ?? null;
};
