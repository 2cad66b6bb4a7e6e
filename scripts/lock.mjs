// One install or build at a time, also when `npm start` and `npm test` begin together.
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, say } from './checkout.mjs';

const LOCK = join(root, 'dist', '.setup-lock');
const POLL_MS = 100;

const startOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
};

const runs = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault.code === 'EPERM';
  }
};

const nameOf = (pid) => `${pid} ${startOf(pid)}`;
const isAlive = (name) => {
  const pid = Number(name.split(' ')[0]);
  return pid > 0 && runs(pid) && nameOf(pid) === name;
};

/** Moves a dead holder's lock away. Where another's new lock was caught instead, it is put back. */
const sweep = (dead) => {
  const caught = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, caught);
    if (readFileSync(caught, 'utf8') !== dead) linkSync(caught, LOCK);
  } catch (fault) {
    if (fault.code !== 'ENOENT' && fault.code !== 'EEXIST') throw fault;
  }
  rmSync(caught, { force: true });
};

/** Takes the lock; null when it is taken, else the function that gives it back. Written whole or not at all. */
const take = () => {
  const own = `${LOCK}.${process.pid}.new`;
  writeFileSync(own, nameOf(process.pid));
  try {
    linkSync(own, LOCK);
    return () => rmSync(LOCK, { force: true });
  } catch (fault) {
    if (fault.code !== 'EEXIST') throw fault;
    return null;
  } finally {
    rmSync(own, { force: true });
  }
};

/** Runs `work` alone among the processes of this checkout. */
export const alone = async (work) => {
  mkdirSync(dirname(LOCK), { recursive: true });
  let told = false;
  let release = take();
  while (release === null) {
    const holder = existsSync(LOCK) ? readFileSync(LOCK, 'utf8') : '';
    if (holder !== '' && !isAlive(holder)) sweep(holder);
    else {
      if (!told) say('another npm command is preparing this checkout; waiting for it');
      told = true;
      await pause(POLL_MS);
    }
    release = take();
  }
  try {
    return await work();
  } finally {
    release();
  }
};
