/** Request bodies: JSON, validated by the operation's schema without coercion; every fault has its path. */
import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import type { ReadJson } from '../../../platform/app/answer.ts';
import { BODY, bodyCheck, type BodyCheck } from '../../../platform/app/body-check.ts';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import { BODY_JSON_LIMITS, scanProblem, type JsonLimits } from './json-scan.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*application\/json\s*(;|$)/i.test(contentType);

/** The refusal of another charset than UTF-8, which JSON always is (RFC 8259, 8.1). */
export const refusedCharset = ({ 'content-type': type = '' }: IncomingHttpHeaders): Refusal | null =>
  [...type.matchAll(/;\s*charset\s*=\s*("?)([^";]*)\1/gi)].every(([, , charset = '']) =>
    /^utf-?8\s*$/i.test(charset),
  )
    ? null
    : new Refusal('NOT_JSON');

export const readJson = (bytes: Buffer, most: JsonLimits): ReadJson => {
  const tooLarge = scanProblem(bytes, most);
  if (tooLarge !== null) return { tooLarge };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { malformed: { problem: 'is not valid UTF-8', arabic: 'الترميز ليس UTF-8 صحيحًا' } };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { malformed: { problem: 'is not valid JSON', arabic: 'المحتوى ليس JSON صحيحًا' } };
  }
};

/** Undefined when there is no text. Throws INVALID_INPUT. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  const read = readJson(bytes, BODY_JSON_LIMITS);
  if ('value' in read) return read.value;
  throw invalidInput({ path: BODY, ...('tooLarge' in read ? read.tooLarge : read.malformed) });
};

export const isEmpty = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const EMPTY_OBJECT = Type.Object({}, { additionalProperties: false });

/** For an operation without a body: none, or an empty object. */
export const noBodyCheck: BodyCheck = (body) => (body === undefined ? [] : bodyCheck(EMPTY_OBJECT)(body));
