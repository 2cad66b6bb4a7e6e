/** Requests: what a failed one says to the guest, and the key of one that may be repeated. */
import { ApiError } from '../../../client/client.ts';

/** The server's own words, which are in the reader's language, else `offline`. */
export const describeFailure = (error: unknown, offline: string): string =>
  error instanceof ApiError ? error.body.error : offline;

/** A failure of the server does not say whether the request was carried out; a refusal says that it was not. */
export const isRefusedRequest = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500;

export const isRefusal = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.body.code === code;

/** Random; `crypto.randomUUID` is missing on addresses without TLS, such as a test server's. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
