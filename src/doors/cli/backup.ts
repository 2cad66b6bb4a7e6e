import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { Config } from '../../config.ts';
import { StartError, printStatus } from '../../serve/faults.ts';
import { backUp, BackupStreamError, checkBackup, restore, withBackup } from '../../platform/store/backup.ts';
import type { Contents, ReadableBackup, ShopMark } from '../../platform/store/backup.ts';
import { grantServing } from '../../platform/store/grants.ts';
import { label } from '../../platform/store/migrate.ts';
import { demandOneDatabase } from '../../platform/store/one-database.ts';
import { closeShop, isClosed, watchLastMessages, type NamedShop } from '../../shopfile/app/move-shop.ts';
import { MIGRATIONS, version, type Runtime } from '../../wiring.ts';
import { fileFault, onFile } from './files.ts';
import { counted, withProgress } from './progress.ts';
import { closedSentence } from './shop.ts';

const onStream = async <T>(verb: 'read' | 'written', name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (fault) {
    throw fault instanceof BackupStreamError ? fileFault(verb, name, fault.cause) : fault;
  }
};

const contentsOf = ({ head, tables, rows }: Contents): string => {
  const last = head.migrations.at(-1);
  const of = head.shop === null ? '' : `the shop ${head.shop.slug} (${head.shop.orgId}): `;
  return [
    `${of}${counted(tables, 'table')} and ${counted(rows, 'row')} as of ${head.takenAt}`,
    `Ahwa ${head.program}, migration ${last === undefined ? 'none' : label(last)}, PostgreSQL ${head.postgres}`,
  ].join('; ');
};

const keyOf = ({ secretKeys, dataDir }: Config): string =>
  secretKeys === null ? join(dataDir, 'secret.key') : 'SECRET_KEY';

/** Where a link leads: what is there is replaced, not the link. */
const targetOf = (file: string): string => {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  return onFile('written', file, () => realpathSync(file));
};

/** Writes `….partial` and renames it when it is complete and on disk. */
const writeAtomically = async <T>(name: string, write: (to: Writable) => Promise<T>): Promise<T> => {
  if (statSync(name, { throwIfNoEntry: false })?.isFile() === false)
    throw new StartError(`${name} cannot be written: it is no file; - is standard output.`);
  const file = targetOf(name);
  const partial = `${file}.partial`;
  // Private, because it contains phones. Replaces the rest of a killed backup.
  const fd = onFile('written', file, () => {
    rmSync(partial, { force: true });
    return openSync(partial, 'wx', 0o600);
  });
  const { ino } = fstatSync(fd);
  const isOurs = (): boolean => statSync(partial, { throwIfNoEntry: false })?.ino === ino;
  const drop = (): void => {
    if (isOurs()) rmSync(partial);
  };
  // For an exit by a signal.
  process.once('exit', drop);
  const to = createWriteStream(partial, { fd, flush: true });
  try {
    const result = await write(to);
    if (!isOurs()) throw new StartError(`Another backup is being written to ${file}; this one is given up.`);
    onFile('written', file, () => {
      renameSync(partial, file);
      syncFolder(dirname(file));
    });
    return result;
  } catch (fault) {
    drop();
    throw fault;
  } finally {
    to.destroy();
    process.off('exit', drop);
  }
};

/** Makes the rename survive a power failure. */
const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
};

const keyAdvice = (shop: ShopMark | null, config: Config): string =>
  shop === null
    ? `The secret key is not in it: keep ${keyOf(config)} too, or every password, PIN and authenticator app of the staff is wrong, every webhook needs a new secret and no member's token can be made again.`
    : `The secret key is not in it: where the shop is restored, add the one of ${keyOf(config)} at the end of SECRET_KEY, or every password, PIN and authenticator app of its staff is wrong, its webhooks need new secrets and no token of its members can be made again.`;

/** A shop that is backed up alone; `close`: it is closed first, and stays so. */
export interface ShopToBackUp extends NamedShop {
  readonly close: boolean;
}

const LOOK_MS = 100;

/** Runs `backUpShop` once the last message of a closed shop has left. A fault or a signal leaves the shop closed, and says so. */
const afterLastMessage = async <T>(
  { app }: Runtime,
  shop: NamedShop,
  backUpShop: () => Promise<T>,
): Promise<T> => {
  const remind = (): void => printStatus(closedSentence(shop));
  remind();
  process.once('exit', remind);
  const isSending = await watchLastMessages(app, shop);
  while (await isSending()) await pause(LOOK_MS);
  const done = await backUpShop();
  process.off('exit', remind);
  return done;
};

/** Closes a shop that is to be closed; whether it is. */
const closeIfAsked = async ({ app }: Runtime, shop: ShopToBackUp): Promise<boolean> => {
  if (shop.close) await closeShop(app, shop);
  return isClosed(app, shop);
};

/** Returns the summary. */
export const backUpTo = async (
  runtime: Runtime,
  config: Config,
  file: string,
  shop: ShopToBackUp | null,
): Promise<string[]> => {
  const write = (to: Writable): Promise<Contents> =>
    onStream('written', file === '-' ? 'standard output' : file, () =>
      withProgress('backing up', (onProgress) =>
        backUp({
          ...{ connection: runtime.owner, shop, to, onProgress },
          ...{ program: version(), now: () => runtime.app.clock.now() },
        }),
      ),
    );
  if (file === '-' && process.stdout.isTTY)
    throw new StartError('Standard output is a terminal; name a file, or lead it into a program.');
  // Not closed for a file that cannot be made.
  const writeShop = async (to: Writable): Promise<Contents> =>
    shop !== null && (await closeIfAsked(runtime, shop))
      ? afterLastMessage(runtime, shop, () => write(to))
      : write(to);
  const contents = await (file === '-' ? writeShop(process.stdout) : writeAtomically(file, writeShop));
  return [`backup of ${contentsOf(contents)}`, keyAdvice(shop, config)];
};

/** Opened first, so that a wrong name is reported before any other step. */
export const backupInput = (file: string): Readable => {
  if (file !== '-') return createReadStream(file, { fd: onFile('read', file, () => openSync(file, 'r')) });
  if (process.stdin.isTTY) throw new StartError('Standard input is a terminal; name a file.');
  return process.stdin;
};

const nextSteps = (config: Config): string[] => [
  'Nothing is sent from this copy, and nothing in it is swept, before `ahwa sending on`.',
  `The secret key is not in a backup: put the one that was kept into ${keyOf(config)} before the next start, or every password, PIN and authenticator app of the staff is wrong.`,
];

const nextStepsOfShop = ({ slug }: ShopMark): string[] => [
  `It takes no orders and sends nothing before \`ahwa shop open ${slug}\`.`,
  'The secret key is not in a backup: add the one of the other installation at the end of SECRET_KEY, and restart the servers; `ahwa staff keys` shows whom it protects.',
];

const inputName = (file: string): string => (file === '-' ? 'standard input' : file);

/** `work` begins once the head is read, so that what is no backup makes no database. */
export const readingBackup = (
  file: string,
  from: Readable,
  work: (backup: ReadableBackup) => Promise<void>,
): Promise<void> => onStream('read', inputName(file), () => withBackup({ from, folder: MIGRATIONS }, work));

/** Returns the summary. */
export const restoreFrom = async (
  runtime: Runtime,
  config: Config,
  backup: ReadableBackup,
): Promise<string> => {
  const { connection: serving, owner } = runtime;
  await demandOneDatabase({ owner, serving });
  const restored = await withProgress('restoring', (onProgress) =>
    restore(backup, { connection: owner, now: () => runtime.app.clock.now(), onProgress }),
  );
  await grantServing({ owner, serving });
  const { shop } = restored.head;
  return [
    `restored ${contentsOf(restored)}`,
    ...(restored.leftOut.length === 0
      ? []
      : [`Left out, since Ahwa's migrations make no such tables: ${restored.leftOut.join(', ')}.`]),
    ...(shop === null ? nextSteps(config) : nextStepsOfShop(shop)),
  ].join('\n');
};

/** Returns the summary. */
export const checkFrom = (file: string, from: Readable): Promise<string> =>
  onStream('read', inputName(file), async () => {
    const contents = await withProgress('reading', (onProgress) =>
      checkBackup({ from, folder: MIGRATIONS, onProgress }),
    );
    return `whole: ${contentsOf(contents)}`;
  });
