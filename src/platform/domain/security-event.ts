/** Security events for monitoring: each is a log line and a counter (docs/operations.md, Security events). */
export const SECURITY_EVENT_KINDS = [
  'password_wrong',
  'pin_wrong',
  'second_factor_wrong',
  'code_wrong',
  'requests_refused',
  'signed_in',
  'sessions_ended',
  'credentials_changed',
  'permissions_changed',
  'device_paired',
  'device_revoked',
  'person_exported',
  'person_erased',
  'orders_braked',
  'message_budget_low',
  'message_budget_spent',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** Ids, client addresses and figures. Never a secret, a token or a whole phone number. */
export type SecurityFacts = Readonly<Record<string, string | number | boolean | null>>;
