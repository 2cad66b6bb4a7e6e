/** Addresses of people who sign in at one shop alone, which no index guards where tables are spread over nodes. */

/** Locks the addresses until the transaction ends. $1: sorted, so that two transactions never wait for each other. */
export const LOCK_EMAILS = `
  select pg_advisory_xact_lock(hashtextextended('e-mail ' || email, 0)) from unnest($1::text[]) as email`;
