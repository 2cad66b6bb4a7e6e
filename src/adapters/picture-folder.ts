import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { MAX_PICTURE_BYTES } from '../pictures/domain/picture.ts';
import { codeOf } from '../platform/domain/fault-code.ts';
import type { PictureFolder } from '../ports.ts';

/** Does not wait for a pipe. */
const readFile = (path: string): ReturnType<PictureFolder['read']> => {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { fault: 'unreadable' };
    if (stat.size > MAX_PICTURE_BYTES) return { fault: 'too many bytes' };
    const bytes = Buffer.alloc(stat.size);
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(descriptor, bytes, read, bytes.length - read, null);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
};

/** The pictures beside the shop files of `folder`. A symbolic link must not lead out of it. */
export const picturesBeside = (folder: string): PictureFolder => ({
  read: (path) => {
    try {
      const file = realpathSync(join(folder, path));
      return file.startsWith(join(realpathSync(folder), sep)) ? readFile(file) : { fault: 'outside' };
    } catch (fault) {
      return { fault: /^(ENOENT|ENOTDIR)$/.test(codeOf(fault)) ? 'missing' : 'unreadable' };
    }
  },
});
