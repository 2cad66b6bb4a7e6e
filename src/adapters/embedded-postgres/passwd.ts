import { readFileSync } from 'node:fs';

export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Empty when the file cannot be read. */
export const systemUsers = (): SystemUser[] => {
  let lines: string[];
  try {
    lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
  return lines
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid || NaN), gid: Number(gid || NaN) }))
    .filter(({ uid, gid }) => Number.isSafeInteger(uid) && Number.isSafeInteger(gid));
};
