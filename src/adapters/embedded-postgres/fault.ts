import { systemUsers } from './passwd.ts';

/** The message is a sentence for the person who started the program. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const ELSEWHERE = 'set DATABASE_URL to a PostgreSQL 15 or newer';

/** The first match wins. */
const OUTPUT: readonly (readonly [RegExp, (place: string) => string])[] = [
  [/No space left on device|disk quota exceeded/i, diskFull],
  [
    /Read-only file system/,
    (place) => `${place} is on a read-only file system; set DATA_DIR to a folder that can be written.`,
  ],
  [
    /could not look up effective user ID|user does not exist/,
    () =>
      `PostgreSQL needs a user name for the user id it runs as, and this one has no passwd entry; run as a named user or ${ELSEWHERE}.`,
  ],
  [
    /initialized by PostgreSQL version|incompatible with server/,
    (place) =>
      `${place} was made by another major version of PostgreSQL; nothing was changed; use the release of Ahwa that made it, or ${ELSEWHERE}.`,
  ],
  [
    /wrong ownership|invalid permissions/,
    (place) =>
      `${place} must belong to the user who runs PostgreSQL and be closed to all others (mode 0700).`,
  ],
  [
    /error while loading shared libraries|symbol not found|Error relocating|version `GLIBC/,
    () =>
      `The PostgreSQL that npm brings does not run on this system (its libraries do not fit); ${ELSEWHERE}.`,
  ],
  [
    /Cannot allocate memory|could not create shared memory|could not map anonymous shared memory/,
    () => `There is not enough free memory to start PostgreSQL; free some, or ${ELSEWHERE}.`,
  ],
  [
    /lock file ".*" already exists|shared memory block .* is still in use/,
    (place) =>
      `Another PostgreSQL still holds ${place}, and it does not answer here; stop it, or wait until it has ended.`,
  ],
];

function diskFull(place: string): string {
  return `The disk that holds ${place} is full; free some space and start again.`;
}

const lastComplaint = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /FATAL|PANIC|error:/.test(line))
    .at(-1)
    ?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? 'it gave no reason';

/** `place` is the folder concerned. */
export const faultOfOutput = (output: string, place: string): EmbeddedPostgresError => {
  const known = OUTPUT.find(([pattern]) => pattern.test(output));
  return new EmbeddedPostgresError(
    known === undefined ? `PostgreSQL did not start on ${place}: ${lastComplaint(output)}.` : known[1](place),
  );
};

export const codeOf = (fault: unknown): string | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;

/** `nobody (uid 65534)`. */
export const userLabel = (uid: number): string => {
  const name = systemUsers().find((user) => user.uid === uid)?.name;
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
};

/** Such as ENAMETOOLONG, and ENOENT of file systems without new folders. */
const isOfMkdir = (fault: unknown): boolean =>
  fault instanceof Error && 'syscall' in fault && fault.syscall === 'mkdir';

/** Other errors are returned unchanged. */
export const faultOfFiles = (fault: unknown, place: string): unknown => {
  const code = codeOf(fault);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new EmbeddedPostgresError(diskFull(place));
  if (code === 'EROFS') return faultOfOutput('Read-only file system', place);
  if (code === 'EACCES' || code === 'EPERM') {
    return new EmbeddedPostgresError(
      `${place} cannot be written by ${userLabel(process.getuid?.() ?? -1)}; set DATA_DIR to a folder of this user.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new EmbeddedPostgresError(`${place} is not a folder; set DATA_DIR to a folder.`);
  }
  if (code === 'ELOOP')
    return new EmbeddedPostgresError(`A file in ${place} is a link; remove the link, and start again.`);
  if (code !== undefined && isOfMkdir(fault))
    return new EmbeddedPostgresError(`${place} cannot be made (${code}); set DATA_DIR to another folder.`);
  return fault;
};
