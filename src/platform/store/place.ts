import pg from 'pg';

export type ConnectionOptions =
  | {
      readonly url: string;
      /** Name of the setting that has it. */
      readonly setting?: string;
    }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string;
    };

/** Where a connection leads, for sentences to the operator: never its password. */
export interface Place {
  /** Name of the setting with the address; null: the embedded PostgreSQL. */
  readonly setting: string | null;
  /** `db.example:5432`, or the folder of a Unix socket. */
  readonly server: string;
  readonly role: string;
  readonly database: string;
}

export const placeOf = (connection: ConnectionOptions): Place => {
  const setting = 'url' in connection ? (connection.setting ?? 'DATABASE_URL') : null;
  try {
    const options = 'url' in connection ? { connectionString: connection.url } : connection;
    const { host, port, user, database } = new pg.Client(options);
    const server = host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return { setting, server, role: user ?? '', database: database ?? '' };
  } catch {
    // An address that `pg` cannot read; connecting reports it.
    return { setting, server: setting ?? 'the server', role: '', database: '' };
  }
};
