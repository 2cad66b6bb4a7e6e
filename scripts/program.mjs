// The build copies this file to dist/main.js and dist/cli.js. It runs the bundle of the same name with the code that V8
// made of it during the build: to compile five megabytes anew takes half of a start.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The bundle begins with a line that names its build. So does its code, and has its CRC-32 in the next one. */
const nameIn = (text) => text.slice(0, text.indexOf('\n') + 1);

const bundle = fileURLToPath(import.meta.url).replace(/\.js$/, '.cjs');
const source = readFileSync(bundle, 'utf8');
const name = nameIn(source);

/**
 * Undefined: there is none of this very bundle, or it was damaged, such as by a loss of power: V8 would run it, and end without
 * a word. V8 itself leaves out code of another version or for other flags.
 */
const compiled = () => {
  const path = bundle.replace(/\.cjs$/, '.code');
  const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const start = `${name}00000000\n`.length;
  const code = file.subarray(start);
  const head = `${name}${crc32(code).toString(16).padStart(8, '0')}\n`;
  return file.toString('latin1', 0, start) === head ? code : undefined;
};

const program = new Script(source, { filename: bundle, cachedData: compiled() });
program.runInThisContext()(createRequire(bundle), import.meta.url);
