import { statfs } from 'node:fs/promises';
import type { ReadinessCheck } from '../ports.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * PostgreSQL writes its log in segments of 16 MB and stops when it cannot create the next: room for three,
 * plus data pages.
 */
const LEAST_FREE_BYTES = 64 * MEBIBYTE;

/** Space available to ordinary users: PostgreSQL cannot use root's reserve. */
export const diskCheck = (folder: string, leastBytes = LEAST_FREE_BYTES): ReadinessCheck => ({
  name: 'disk',
  fault: async () => {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free >= leastBytes) return null;
    const [left, least] = [free, leastBytes].map((bytes) => Math.floor(bytes / MEBIBYTE));
    return `the disk of ${folder} has ${left} MB left; below ${least} MB PostgreSQL may stop at any write`;
  },
});
