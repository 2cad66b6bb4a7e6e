import pg from 'pg';
import type { Place } from './place.ts';

/** 42501: no right. 3F000: no schema to create in. The other two: no files of the extension, before and since 16. */
const MISSING = /^(42501|3F000|58P01|0A000)$/;

const isExtensionFault = ({ message }: pg.DatabaseError): boolean => /extension "/.test(message);

export const isMissingRight = (fault: unknown): fault is pg.DatabaseError =>
  fault instanceof pg.DatabaseError &&
  MISSING.test(fault.code ?? '') &&
  (/^(42501|3F000)$/.test(fault.code ?? '') || isExtensionFault(fault));

/** The first match wins. `role`, `database`: as PostgreSQL writes them in a statement. */
const RIGHTS: readonly (readonly [RegExp, (role: string, database: string) => string])[] = [
  [
    /permission denied to create extension/,
    (role, database) =>
      `may not create the extension btree_gist: grant create on database ${database} to ${role}, or create extension btree_gist there as a superuser`,
  ],
  [
    /extension "/,
    () =>
      'cannot create the extension btree_gist, which this PostgreSQL does not have: install postgresql-contrib there',
  ],
  [
    /must be owner|must be able to SET ROLE|must be member/,
    () => 'does not own the tables: name the role that does in MIGRATION_DATABASE_URL',
  ],
  [
    /permission denied for (table|sequence|function|relation)/,
    () => 'may not use the tables of another role: name their owner in MIGRATION_DATABASE_URL',
  ],
];

/** As a statement that grants the right, or the setting to change. */
export const rightSentence = ({ message }: pg.DatabaseError, { role, database }: Place): string => {
  const names = [role, database].map((name) => pg.escapeIdentifier(name)) as [string, string];
  const known = RIGHTS.find(([pattern]) => pattern.test(message));
  const advice =
    known === undefined
      ? `may not create tables in the database ${database} (${message}): alter database ${names[1]} owner to ${names[0]}`
      : known[1](...names);
  return `The role ${role} ${advice}.`;
};
