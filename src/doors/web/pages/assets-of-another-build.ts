/**
 * While workers of two builds answer, a page of one may ask the other for its scripts and styles. They stand in one folder,
 * and the build keeps those of the build before.
 */
import { Refusal } from '../../../kernel/refusal.ts';
import { FILE_HEADERS } from '../headers.ts';
import { fileEndpoint, serviceAnswer, type Page } from '../page.ts';

/** By their ending: other addresses below `/assets/` are pages. */
const filesOfAnotherBuild = (id: string, ending: 'js' | 'css'): Page => ({
  endpoint: fileEndpoint(id, `/assets/{file}.${ending}`, {
    ...{ cache: 'public, max-age=31536000, immutable', limit: 'files' },
  }),
  handler:
    ({ assets }) =>
    async ({ path }) => {
      const found = await assets.ofAnotherBuild(`${path['file'] ?? ''}.${ending}`);
      if (found === null) throw new Refusal('NOT_FOUND');
      return serviceAnswer({ ...found, headers: FILE_HEADERS }, null);
    },
});

export const assetsOfAnotherBuild: readonly Page[] = [
  filesOfAnotherBuild('scriptOfAnotherBuild', 'js'),
  filesOfAnotherBuild('styleOfAnotherBuild', 'css'),
];
