import {
  boolean,
  table,
  text,
  timestamptz,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const FEED_TABLES = {
  /**
   * One row: until when the change log tells of rows that left the devices by the clock, and of which keys of vouchers it
   * tells.
   */
  feed_clock: table({ id: boolean.default(true), until: timestamptz, voucher_keys: text.nullable }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof FEED_TABLES> {}
}
