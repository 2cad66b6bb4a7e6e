/** Staff of a shop: branches and the forms of credentials (Decisions 12). */
import { westernDigits } from '../../kernel/digits.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Role } from '../../kernel/permission.ts';

export interface StaffScope {
  readonly role: Role;
  /** Null: every branch of the shop. */
  readonly branchIds: readonly Uuid[] | null;
}

export const mayAtBranch = ({ role, branchIds }: StaffScope, branchId: Uuid): boolean =>
  role === 'owner' || branchIds === null || branchIds.includes(branchId);

/** Null: every branch of the shop. */
export const branchesAllowed = ({ role, branchIds }: StaffScope): readonly Uuid[] | null =>
  role === 'owner' ? null : branchIds;

export const emailForm = (text: string): string => text.trim().toLowerCase();

export const isEmailLike = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(emailForm(text));

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** Normalized for hashing; null if too short or too long. */
export const passwordIn = (text: string): string | null => {
  const password = text.normalize('NFKC');
  const { length } = Array.from(password);
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max ? password : null;
};

const PIN = /^[0-9]{4,8}$/;

/** 4 to 8 digits, typed on any keyboard; null if invalid. */
export const pinIn = (text: string): string | null => {
  const pin = westernDigits(text.trim());
  return PIN.test(pin) ? pin : null;
};

/** Digits and capitals without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
export const PAIRING_ALPHABET = '34679ACDEFGHJKMNPQRTWXY';
export const PAIRING_LENGTH = 8;

/** A typed code of this alphabet; accepts lower case, spaces and hyphens. Null if invalid. */
export const codeIn = (text: string, length: number): string | null => {
  const code = westernDigits(text.normalize('NFKC')).toUpperCase().replace(/[\s-]/g, '');
  const isCode =
    code.length === length && Array.from(code).every((letter) => PAIRING_ALPHABET.includes(letter));
  return isCode ? code : null;
};

export const pairingCodeIn = (text: string): string | null => codeIn(text, PAIRING_LENGTH);
