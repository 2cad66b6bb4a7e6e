/** Passwords and PINs that may be set: none that a guesser tries first. Signing in does not check this. */
import type { Problem } from '../../kernel/refusal.ts';
import { emailForm, PASSWORD_LENGTH, passwordIn, pinIn } from './staff.ts';

export type Guessable = readonly (string | null)[];

const TOO_SHORT = {
  problem: `has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`,
  arabic: `من ${PASSWORD_LENGTH.min} إلى ${PASSWORD_LENGTH.max} حرفًا`,
};
const BLANK = { problem: 'must not be blank', arabic: 'يجب ألا تكون فارغة' };
const COMMON = {
  problem: 'must not be one of the passwords that most people choose',
  arabic: 'يجب ألا تكون من كلمات المرور الشائعة',
};
const KNOWN = {
  problem: 'must not be the e-mail address or the name of the person or shop',
  arabic: 'يجب ألا تكون البريد الإلكتروني أو اسم الشخص أو المحل',
};
const NO_PIN = { problem: 'has 4 to 8 digits', arabic: 'من 4 إلى 8 أرقام' };
const EASY_PIN = {
  problem: 'must not be a row, a repetition or a year, such as 1234, 2468, 1212 or 1990',
  arabic: 'يجب ألا يكون أرقامًا متتالية أو مكررة أو سنة، مثل 1234 أو 2468 أو 1212 أو 1990',
};

/** Lower-case letters and digits only: `Beit El Bunn` equals `beit-el-bunn`. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Null: acceptable. */
export const passwordFault = (
  text: string,
  guessable: Guessable,
  isCommon: (password: string) => boolean,
): Problem | null => {
  const password = passwordIn(text);
  if (password === null) return TOO_SHORT;
  if (!/[^\s\p{Cf}]/u.test(password)) return BLANK;
  if (isCommon(password)) return COMMON;
  const known = guessable.flatMap((one) =>
    one === null ? [] : [bare(one), bare(emailForm(one).split('@', 1)[0] ?? '')],
  );
  return bare(password) !== '' && known.includes(bare(password)) ? KNOWN : null;
};

/** Equal steps between digits: 1111, 1234, 4321, 2468, 7890. */
const isRow = (digits: readonly number[]): boolean => {
  const step = ((digits[1] ?? 0) - (digits[0] ?? 0) + 10) % 10;
  const isEven = digits.every((digit, at) => at === 0 || (digit - (digits[at - 1] ?? 0) + 10) % 10 === step);
  return isEven && [0, 1, 2, 8, 9].includes(step);
};

/** 1212, 123123, 1122. */
const isRepetition = (pin: string): boolean => /^(\d+)\1+$/.test(pin) || /^(\d)\1(\d)\2$/.test(pin);

/** 1950 to 2049: birth years and the present. */
const isYear = (pin: string): boolean => /^(?:19[5-9]|20[0-4])\d$/.test(pin);

/** Null: acceptable. */
export const pinFault = (text: string): Problem | null => {
  const pin = pinIn(text);
  if (pin === null) return NO_PIN;
  const digits = Array.from(pin, Number);
  return isRow(digits) || isRepetition(pin) || isYear(pin) ? EASY_PIN : null;
};
