import {
  bytea,
  smallint,
  table,
  text,
  timestamps,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const IDENTITY_TABLES = {
  otp_phone: table({
    phone: text,
    code_hash: bytea.nullable,
    code_expires_at: timestamptz.nullable,
    tries: smallint.default(0),
    sending_id: uuid.nullable,
    sending_at: timestamptz.nullable,
    codes: timestamps.default([]),
    failures: timestamps.default([]),
    updated_at: timestamptz,
  }),
  device_token: table({
    token_hash: bytea,
    phone: text,
    issued_at: timestamptz,
    expires_at: timestamptz,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof IDENTITY_TABLES> {}
}
