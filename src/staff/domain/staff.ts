/** The people who work in a shop: at which branches, and what they sign in with (Decisions 12). */
import { westernDigits } from '../../kernel/digits.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Role } from '../../kernel/permission.ts';

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
