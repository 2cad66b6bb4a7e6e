import {
  bytea,
  integer,
  table,
  text,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const PICTURE_TABLES = {
  picture: table({
    org_id: uuid,
    /** The reference in the shop file: an `https://` address or a path beside the file. */
    source: text,
    /** Derived from the shop and the bytes: an address never changes its content. */
    id: uuid,
    media_type: text,
    width: integer,
    height: integer,
    bytes: bytea,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof PICTURE_TABLES> {}
}
