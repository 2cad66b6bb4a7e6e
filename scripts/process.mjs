// Running a program to its end as if it were this one: signals go on to it, its exit code comes back, and it is
// stopped when the npm above us goes away, because npm does not pass every signal on.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { root } from './checkout.mjs';

const WATCH_MS = 250;
/** One Ctrl-C arrives twice: from the terminal, and from npm, which got it too. */
const SAME_KEY_MS = 400;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const statOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , parent] = stat.slice(stat.lastIndexOf(')')).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent: Number(parent) };
  } catch {
    return { name: '', parent: 0 };
  }
};

/** Our parent, and where that is the shell npm ran us in, its parent: npm itself. */
const above = () => {
  const parent = statOf(process.ppid);
  return /^(ba|da|k|z)?sh$/.test(parent.name) ? `${process.ppid} ${parent.parent}` : String(process.ppid);
};

/** Calls `gone` once when the npm that started us has ended. Without npm above nobody is watched. */
const watchNpm = (gone) => {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const first = above();
  const timer = setInterval(() => {
    if (above() === first) return;
    clearInterval(timer);
    gone();
  }, WATCH_MS);
  return () => clearInterval(timer);
};

/** Passes each signal on once per key press or kill. Returns the function that ends the passing. */
const passSignals = (child) => {
  const last = new Map();
  const pass = (signal) => {
    const now = performance.now();
    if (now - (last.get(signal) ?? -Infinity) > SAME_KEY_MS) child.kill(signal);
    last.set(signal, now);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
};

/**
 * Runs a program, in the checkout unless told otherwise, and resolves with its exit code. The child has a process group
 * of its own, so that a Ctrl-C reaches it once, from here.
 */
export const run = (program, args, { env = process.env, cwd = root } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: 'inherit',
      detached: process.platform !== 'win32',
    });
    const unpass = passSignals(child);
    const unwatch = watchNpm(() => child.kill('SIGTERM'));
    const finish = (settle) => {
      unpass();
      unwatch();
      settle();
    };
    child.once('error', (fault) => finish(() => reject(fault)));
    child.once('exit', (code, signal) =>
      finish(() => resolve(code ?? 128 + (constants.signals[signal] ?? 0))),
    );
  });

const FOLLOW = new URL('./follow.mjs', import.meta.url).href;

/** Runs a JavaScript file with this Node; it stops by itself when this process is killed. */
export const runNode = (args, options) => run(process.execPath, ['--import', FOLLOW, ...args], options);
