/**
 * While workers of two builds answer, a page of one may ask the other for its scripts and styles. They stand in one folder,
 * and the build keeps those of the build before.
 */
import { Refusal } from '../../../kernel/refusal.ts';
import { FILE_HEADERS } from '../headers.ts';
import { fileEndpoint, serviceAnswer, type Page } from '../page.ts';

export const assetOfAnotherBuild: Page = {
  endpoint: fileEndpoint('assetOfAnotherBuild', '/assets/{file}', {
    ...{ cache: 'public, max-age=31536000, immutable', limit: 'files' },
  }),
  handler:
    ({ assets }) =>
    async ({ path }) => {
      const found = await assets.ofAnotherBuild(path['file'] ?? '');
      if (found === null) throw new Refusal('NOT_FOUND');
      return serviceAnswer({ ...found, headers: FILE_HEADERS }, null);
    },
};
