/** Who may do what: roles, permissions and branches of the people who work in a shop (Decisions 12). */
import { westernDigits } from './digits.ts';
import type { Uuid } from './ids.ts';
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

/** Where someone works. */
export interface Posted {
  readonly role: Role;
  /** Null: every branch of the shop. */
  readonly branchIds: readonly Uuid[] | null;
}

/** Whether someone may act at a branch of their shop; an owner may at every one. */
export const mayAtBranch = ({ role, branchIds }: Posted, branchId: Uuid): boolean =>
  role === 'owner' || branchIds === null || branchIds.includes(branchId);

/** The branches that someone may act at; null is every branch of the shop. */
export const branchesAllowed = ({ role, branchIds }: Posted): readonly Uuid[] | null =>
  role === 'owner' ? null : branchIds;

/** The form in which an e-mail address is kept and looked for. */
export const emailForm = (text: string): string => text.trim().toLowerCase();

/** Whether a text could be an e-mail address at all; nobody's is one that could not. */
export const isEmailLike = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(emailForm(text));

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** A password in the one form in which it is hashed; null when it is too short or too long. */
export const passwordIn = (text: string): string | null => {
  const password = text.normalize('NFKC');
  const { length } = Array.from(password);
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max ? password : null;
};

const PIN = /^[0-9]{4,8}$/;

/** A PIN of 4 to 8 digits, whichever keyboard they were typed on; null when it is none. */
export const pinIn = (text: string): string | null => {
  const pin = westernDigits(text.trim());
  return PIN.test(pin) ? pin : null;
};

/** Digits and capitals of which none is taken for another: no 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
export const PAIRING_ALPHABET = '34679ACDEFGHJKMNPQRTWXY';
export const PAIRING_LENGTH = 8;

/** A code of these letters as it was typed: small letters, spaces and hyphens are forgiven; null when it can be none. */
export const codeIn = (text: string, length: number): string | null => {
  const code = westernDigits(text.normalize('NFKC')).toUpperCase().replace(/[\s-]/g, '');
  const isCode =
    code.length === length && Array.from(code).every((letter) => PAIRING_ALPHABET.includes(letter));
  return isCode ? code : null;
};

/** A pairing code as it was typed. */
export const pairingCodeIn = (text: string): string | null => codeIn(text, PAIRING_LENGTH);
