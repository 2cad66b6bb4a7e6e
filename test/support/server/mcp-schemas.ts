/** Validators from the protocol's own JSON schemas, which lie in test/mcp/schemas. */
import { readFileSync } from 'node:fs';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '../../../src/service/contract/tools.ts';

const read = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../mcp/schemas/${name}.json`, import.meta.url), 'utf8')) as object;

const OPTIONS: Options = { strict: false, allErrors: true };

const assertValid = (validate: ValidateFunction, value: unknown, what: string): void => {
  if (validate(value)) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message = '' }) => `${instancePath || '(root)'} ${message}`,
  );
  throw new Error(`not ${what}: ${faults.join('; ')}\n${JSON.stringify(value).slice(0, 500)}`);
};

type Check = (definition: string, value: unknown) => void;

const checkOf = (revision: ProtocolVersion): Check => {
  const ajv = new Ajv(OPTIONS);
  formats.default(ajv);
  ajv.addSchema(read(revision), revision);
  return (definition, value) => {
    const validate = ajv.getSchema(`${revision}#/definitions/${definition}`);
    if (validate === undefined) throw new Error(`${revision} does not define ${definition}`);
    assertValid(validate, value, `a ${definition} of ${revision}`);
  };
};

const CHECKS = Object.fromEntries(
  PROTOCOL_VERSIONS.map((revision) => [revision, checkOf(revision)]),
) as Record<ProtocolVersion, Check>;

const RESULTS: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
};

interface Envelope {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Throws unless `answer` is an error, or a response whose result the revision defines for the method. */
export const checkMessage = (revision: ProtocolVersion, requestMethod: string, answer: unknown): void => {
  const check = CHECKS[revision];
  const envelope = (typeof answer === 'object' && answer !== null ? answer : {}) as Envelope;
  if (envelope.error !== undefined) {
    if (envelope.result !== undefined) throw new Error('an answer is a result or an error, never both');
    // JSON-RPC 2.0 requires a null id where the request has none; these schemas forbid it.
    check('JSONRPCError', envelope.id === null ? { ...envelope, id: 0 } : answer);
    return;
  }
  check('JSONRPCResponse', answer);
  const result = RESULTS[requestMethod];
  if (result === undefined)
    throw new Error(`a result was given to ${requestMethod}, which is no method here`);
  check(result, envelope.result);
};

const cards = new Ajv2020(OPTIONS);
formats.default(cards);
cards.addSchema(read('server-card'), 'server-card');

/** Throws unless `card` is a server card of the public schema. */
export const checkServerCard = (card: unknown): void => {
  const validate = cards.getSchema('server-card#/$defs/ServerCard');
  if (validate === undefined) throw new Error('the schema does not define ServerCard');
  assertValid(validate, card, 'a server card');
};
