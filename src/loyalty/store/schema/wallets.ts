import {
  bytea,
  integer,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const WALLET_TABLES = {
  wallet_registration: table({
    org_id: uuid,
    id: uuid,
    card_id: uuid,
    device: text,
    push_token: text,
    generation: integer,
    created_at: timestamptz,
  }),
  wallet_class: table({ org_id: uuid, digest: bytea, saved_at: timestamptz }),
  wallet_object: table({ org_id: uuid, card_id: uuid, saved_at: timestamptz }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof WALLET_TABLES> {}
}
