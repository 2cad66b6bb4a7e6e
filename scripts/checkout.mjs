// The checkout these scripts belong to: where it is, whether this Node fits it, whether it can be written.
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Ends the command with a sentence. */
export class Stop extends Error {
  constructor(sentence, exitCode = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export const say = (line) => process.stderr.write(`ahwa: ${line}\n`);

/** Whether `found` (such as v20.20.2) is at least `floor` (such as >=20.19). */
export const fits = (found, floor) => {
  const numbers = (text) =>
    text
      .replace(/^[^0-9]*/, '')
      .split('.')
      .map(Number);
  const [have, want] = [numbers(found), numbers(floor)];
  const at = want.findIndex((number, index) => (have[index] ?? 0) !== number);
  return at === -1 || (have[at] ?? 0) > want[at];
};

/** Stops when this Node is too old. */
export const check = () => {
  const floor = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node;
  if (!fits(process.version, floor)) {
    throw new Stop(
      `Node ${floor.replace('>=', '')} or newer is needed, and this is ${process.version}; install a newer one from https://nodejs.org`,
    );
  }
};

/** How a checkout is made ready by the person who may write it, for others to start from. */
export const BUILD_BY_HAND =
  'run "npm ci --include=dev && npm run build" there as its owner first, then start again with DATA_DIR set to a folder of your own';

/** Stops when the checkout cannot be written, saying what would have been done there, and what to do. */
export const mustBeWritable = (purpose, byHand) => {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new Stop(`${purpose}, but ${root} cannot be written; ${byHand}`);
  }
};
