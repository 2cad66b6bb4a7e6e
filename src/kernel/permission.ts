/** Who may do what: the roles of the people who work in a shop, and the permissions of each (Decisions 12). */
import type { Instant } from './time.ts';

export const ROLES = ['owner', 'manager', 'teller', 'waiter', 'kitchen'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

/** Everything that staff can be permitted; each is asked for by name where it is needed. */
export const PERMISSIONS = [
  'orders.read',
  'orders.move',
  'orders.prep_time',
  'orders.print',
  'orders.cancel',
  'orders.finalize',
  'orders.staff_drink.record',
  'orders.lift_brake',
  'channels.pause',
  'items.snooze',
  'events.read',
  'devices.pair',
  'audit.read',
  'people.export',
  'people.erase',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Whose data a shop keeps is its owner's matter: that and nothing else is kept from a manager. */
const MANAGING = PERMISSIONS.filter((permission) => !permission.startsWith('people.'));

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  manager: MANAGING,
  teller: [
    'orders.read',
    'orders.move',
    'orders.prep_time',
    'orders.print',
    'orders.cancel',
    'orders.finalize',
    'orders.staff_drink.record',
    'channels.pause',
    'items.snooze',
    'events.read',
  ],
  waiter: ['orders.read', 'orders.move', 'orders.print', 'events.read'],
  kitchen: ['orders.read', 'orders.move', 'orders.prep_time', 'orders.print', 'items.snooze', 'events.read'],
};

export const permissionsOf = (role: Role): readonly Permission[] => ROLE_PERMISSIONS[role];

/** Whether a permission counts only while the password was given lately: a PIN is too short to guard it (Decisions 12). */
export const needsPassword = (permission: Permission): boolean =>
  /^(?:people|devices)\./.test(permission) ||
  ROLES.every((role) => role === 'owner' || !ROLE_PERMISSIONS[role].includes(permission));

const ELEVATED_MS = 10 * 60 * 1_000;

/** Until when a session is elevated whose person gave their password at `passwordAt`; null: it is not. */
export const elevatedUntil = (passwordAt: Instant | null, now: Instant): Instant | null =>
  passwordAt === null || passwordAt + ELEVATED_MS <= now ? null : passwordAt + ELEVATED_MS;

/** What a role may do in a session that is elevated, or is not. */
export const permissionsInForce = (role: Role, isElevated: boolean): readonly Permission[] =>
  isElevated ? permissionsOf(role) : permissionsOf(role).filter((permission) => !needsPassword(permission));
