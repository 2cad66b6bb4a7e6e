import {
  double,
  integer,
  numeric,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const DELIVERY_TABLES = {
  road_distance: table({
    org_id: uuid,
    branch_id: uuid,
    lat: numeric(8, 4),
    lng: numeric(8, 4),
    from_lat: double,
    from_lng: double,
    meters: integer,
    source: text,
    measured_at: timestamptz,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof DELIVERY_TABLES> {}
}
