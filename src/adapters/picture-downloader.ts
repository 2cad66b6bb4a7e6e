/** https, public addresses only (`public-https.ts`); each redirect is checked like the address. */
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { MAX_PICTURE_BYTES } from '../pictures/domain/picture.ts';
import type { Download, PictureDownloader } from '../ports.ts';
import {
  shownCodeOf,
  destinationOf,
  optionsTo,
  PUBLIC_HTTPS,
  type Destination,
  type PublicHttpsParts,
} from './public-https.ts';

const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

type Answer = Download | { readonly location: string };

const read = async (response: IncomingMessage): Promise<Download> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PICTURE_BYTES) return { reason: `more than ${MAX_PICTURE_BYTES / 1_000_000} MB` };
    chunks.push(chunk);
  }
  return response.complete ? { bytes: Buffer.concat(chunks) } : { reason: 'the answer broke off' };
};

const answerOf = (response: IncomingMessage): Promise<Answer> | Answer => {
  const { statusCode: status = 0, headers } = response;
  if (status === 200) return read(response);
  return REDIRECTS.has(status) && headers.location !== undefined
    ? { location: headers.location }
    : { reason: `answered ${status}` };
};

const get = async (
  destination: Destination,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Answer> => {
  const sending = httpsRequest({
    ...optionsTo(destination, ca),
    ...{ method: 'GET', signal },
    headers: { host: destination.url.host, accept: 'image/*', connection: 'close' },
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sending.on('response', resolve).on('error', reject).end();
    });
    return await answerOf(response);
  } finally {
    sending.destroy();
  }
};

/** `parts` are for tests only: no setting can change addresses or authorities. */
export const createPictureDownloader = (parts: Partial<PublicHttpsParts> = {}): PictureDownloader => {
  const all: PublicHttpsParts = { ...PUBLIC_HTTPS, ...parts };
  const follow = async (address: string, signal: AbortSignal): Promise<Download> => {
    let at = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const destination = await destinationOf(at, all, signal);
      if ('reason' in destination) return { reason: destination.reason };
      const answer = await get(destination, all.ca, signal);
      if (!('location' in answer)) return answer;
      if (!URL.canParse(answer.location, at)) return { reason: 'a redirect to no address' };
      at = new URL(answer.location, at).href;
    }
    return { reason: `more than ${MAX_REDIRECTS} redirects` };
  };
  return {
    download: async (url) => {
      const signal = AbortSignal.timeout(all.timeLimitMs);
      try {
        return await follow(url, signal);
      } catch (fault) {
        return {
          reason: signal.aborted
            ? `no answer within ${all.timeLimitMs / 1_000} s`
            : `no connection (${shownCodeOf(fault)})`,
        };
      }
    },
  };
};
