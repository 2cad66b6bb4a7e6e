/** The scripts and styles that the build has written, with a hash of the content in their names. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainDocument } from '../http/documents.ts';
import { FILE_HEADERS } from './headers.ts';

/** `manifest.json` of the build. */
interface Manifest {
  /** Every file, by name. */
  readonly files: readonly string[];
  /** Of each island its script, then the scripts that it imports. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  readonly styles: Readonly<Record<string, string>>;
}

export interface Assets {
  /** Addresses of the script of an island, and of what it imports. */
  script(island: string): { readonly src: string; readonly imports: readonly string[] };
  stylesheet(name: string): string;
  /** A script or style of that name that has come into the folder since, or is of the build before; null: there is none. */
  ofAnotherBuild(file: string): Promise<{ readonly type: string; readonly body: Buffer } | null>;
  readonly documents: readonly PlainDocument[];
}

const FOLDER = '/assets/';

const typeOf = (file: string): string =>
  file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';

/** As the build names scripts and styles: nothing else in the folder can be asked for. */
const NAME = /^[\w-]+-[A-Z0-9]{8}\.(?:js|css)$/;

const ICON_TYPES = { 'favicon.ico': 'image/x-icon', 'apple-touch-icon.png': 'image/png' } as const;

/** `folder`: where the build has written them. */
export const readAssets = (folder: string): Assets => {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const known = <T>(name: string, value: T | undefined): T => {
    if (value === undefined) throw new Error(`The build has no ${name}.`);
    return value;
  };
  return {
    script: (island) => {
      const [src = '', ...imports] = known(island, manifest.scripts[island]);
      return { src: `${FOLDER}${src}`, imports: imports.map((file) => `${FOLDER}${file}`) };
    },
    ofAnotherBuild: async (file) => {
      if (!NAME.test(file)) return null;
      const body = await readFile(join(folder, file)).catch(() => null);
      return body === null ? null : { type: typeOf(file), body };
    },
    stylesheet: (name) => `${FOLDER}${known(name, manifest.styles[name])}`,
    documents: [
      {
        id: 'serviceWorker',
        path: '/service-worker.js',
        type: typeOf('.js'),
        write: () => read('service-worker.js'),
        headers: FILE_HEADERS,
      },
      ...Object.entries(ICON_TYPES).map(([file, type]) => ({
        ...{ id: `icon ${file}`, path: `/${file}`, type, headers: FILE_HEADERS },
        write: () => readFileSync(join(folder, file)),
      })),
      ...manifest.files.map((file) => ({
        id: `asset ${file}`,
        path: `${FOLDER}${file}`,
        type: typeOf(file),
        write: () => read(file),
        headers: FILE_HEADERS,
        isFile: true,
      })),
    ],
  };
};
