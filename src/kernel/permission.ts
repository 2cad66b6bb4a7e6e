/** (Decisions 12) */
import type { Instant } from './time.ts';

export const ROLES = ['owner', 'manager', 'teller', 'waiter', 'kitchen'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

export const PERMISSIONS = [
  'orders.read',
  'orders.move',
  'orders.prep_time',
  'orders.print',
  'orders.cancel',
  'orders.finalize',
  'orders.reopen',
  'orders.staff_drink.record',
  'orders.lift_brake',
  'bookings.read',
  'bookings.manage',
  'bookings.cancel',
  'bookings.block',
  'loyalty.read',
  'loyalty.join',
  'loyalty.adjust',
  'channels.pause',
  'items.snooze',
  'events.read',
  'loyalty.award',
  'sales.read',
  'sales.sell',
  'sales.refund',
  'tills.read',
  'tills.use',
  'tills.read_expected',
  'tills.manage',
  'tickets.read',
  'tickets.use',
  'tickets.void',
  'tickets.discount',
  'tickets.settle',
  'tables.manage',
  'kitchen.read',
  'kitchen.bump',
  'reports.read',
  'devices.pair',
  'audit.read',
  'customers.merge',
  'people.export',
  'people.erase',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Only the owner may export or erase people's data. */
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
    'bookings.read',
    'bookings.manage',
    'bookings.cancel',
    'bookings.block',
    'loyalty.read',
    'loyalty.join',
    'channels.pause',
    'items.snooze',
    'loyalty.award',
    'sales.read',
    'sales.sell',
    'sales.refund',
    'tills.read',
    'tills.use',
    'tickets.read',
    'tickets.use',
    'tickets.void',
    'tickets.settle',
    'kitchen.read',
    'kitchen.bump',
    'events.read',
  ],
  waiter: [
    'orders.read',
    'orders.move',
    'orders.print',
    'bookings.read',
    'bookings.manage',
    'loyalty.read',
    'loyalty.join',
    'tickets.read',
    'tickets.use',
    'kitchen.read',
    'events.read',
  ],
  kitchen: [
    'orders.read',
    'orders.move',
    'orders.prep_time',
    'orders.print',
    'items.snooze',
    'kitchen.read',
    'kitchen.bump',
    'events.read',
  ],
};

export const permissionsOf = (role: Role): readonly Permission[] => ROLE_PERMISSIONS[role];

/** A PIN is too short for some permissions (Decisions 12). */
export const needsPassword = (permission: Permission): boolean =>
  /^(?:people|devices)\./.test(permission) ||
  ROLES.every((role) => role === 'owner' || !ROLE_PERMISSIONS[role].includes(permission));

const ELEVATED_MS = 10 * 60 * 1_000;

/** Null when the session is not elevated. */
export const elevatedUntil = (passwordAt: Instant | null, now: Instant): Instant | null =>
  passwordAt === null || passwordAt + ELEVATED_MS <= now ? null : passwordAt + ELEVATED_MS;

export const permissionsInForce = (role: Role, isElevated: boolean): readonly Permission[] =>
  isElevated ? permissionsOf(role) : permissionsOf(role).filter((permission) => !needsPassword(permission));
