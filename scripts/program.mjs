// The build copies this file to dist/main.js and dist/cli.js. It runs the bundle of the same name with the code that V8
// made of it during the build: to compile five megabytes anew takes half of a start.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** The bundle begins with a line that names its build, and so does its code. */
const nameIn = (text) => text.slice(0, text.indexOf('\n') + 1);

const bundle = fileURLToPath(import.meta.url).replace(/\.js$/, '.cjs');
const source = readFileSync(bundle, 'utf8');
const name = nameIn(source);

/** Undefined: there is none of this very bundle. V8 itself leaves out code of another version or for other flags. */
const compiled = () => {
  const file = bundle.replace(/\.cjs$/, '.code');
  const code = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return code.toString('latin1', 0, name.length) === name ? code.subarray(name.length) : undefined;
};

const program = new Script(source, { filename: bundle, cachedData: compiled() });
program.runInThisContext()(createRequire(bundle), import.meta.url);
