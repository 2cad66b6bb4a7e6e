// Asking npm something about the packages of the lock file: its answer as JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { root, Stop } from './checkout.mjs';

/** The npm that runs this script, else the one that is installed. */
const npm = process.env.npm_execpath?.endsWith('.js')
  ? [process.execPath, process.env.npm_execpath]
  : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];

/** Runs npm on the lock file alone. Its exit code tells nothing of the answer. */
export const askNpm = async (...args) => {
  const [program, ...first] = npm;
  const child = spawn(program, [...first, ...args, '--package-lock-only', '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const [out, told] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  try {
    return JSON.parse(out);
  } catch {
    throw new Stop(`npm ${args[0]} gave no answer that can be read:\n${told.trim() || out.trim()}`);
  }
};
