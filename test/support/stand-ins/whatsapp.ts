/**
 * A WhatsApp Business Cloud API server: its address, checks, bodies and error codes. It has the templates of
 * docs/messages.md and the one for codes, in Arabic and English.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { registeredTemplates } from '../documents/message-templates.ts';
import { openStandIn } from './stand-in.ts';

export interface TakenMessage {
  readonly id: string;
  readonly to: string;
  readonly template: string;
  readonly language: string;
  readonly parameters: readonly string[];
  /** The text of the button that copies the code. */
  readonly button: string | null;
}

/** `message_status` of an accepted message: not all of them arrive. */
export type MessageStatus = 'accepted' | 'held_for_quality_assessment' | 'paused';

export type Answering = (response: ServerResponse) => void;

export interface WhatsAppServer {
  readonly api: string;
  readonly phoneId: string;
  readonly token: string;
  readonly codeTemplate: string;
  readonly taken: TakenMessage[];
  /** The status of accepted messages; a `paused` one is not sent and not in `taken`. */
  status: MessageStatus;
  /** Replaces every answer; null: normal answers. */
  instead: Answering | null;
  /** Those that have arrived, answered or not. */
  requests: number;
  /** No request is answered until the returned function is called. */
  hold(): () => void;
  /** Cuts every connection; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly details?: string;
  readonly error_subcode?: number;
}

class Refusal extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

const sendJson = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
};

/** An error of the API; from version 16 most have no subcode. */
export const whatsAppError =
  ({ status, code, message, details, error_subcode }: Refused, headers = {}): Answering =>
  (response) => {
    const error_data =
      details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } };
    const subcode = error_subcode === undefined ? {} : { error_subcode };
    const error = {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      ...error_data,
      ...subcode,
    };
    sendJson(response, status, { error: { ...error, fbtrace_id: 'AbFHDcVYoGkPZIjqzX2zsa7' } }, headers);
  };

const refuse = (refused: Refused): never => {
  throw new Refusal(refused);
};

const invalid = (details: string): never =>
  refuse({ status: 400, code: 100, message: 'Invalid parameter', details });

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectIn = (value: unknown, name: string, fields: readonly string[]): Fields => {
  if (!isObject(value)) return invalid(`Param ${name} must be an object`);
  for (const field of fields) if (!(field in value)) invalid(`Param ${name} must have the field ${field}`);
  for (const field of Object.keys(value))
    if (!fields.includes(field)) invalid(`Unexpected key "${field}" on param "${name}"`);
  return value;
};

const stringIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : invalid(`Param ${name} must be a string`);
};

const parameterText = (value: unknown): string => {
  const parameter = objectIn(value, 'parameters', ['type', 'text']);
  if (parameter['type'] !== 'text') invalid('Param type must be one of {TEXT}');
  const text = stringIn(parameter, 'text');
  if (/[\n\r\t]| {5}/.test(text))
    refuse({
      status: 400,
      code: 132018,
      message: 'There is an issue with the parameters in your template',
      details: 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    });
  return text;
};

const parametersIn = (component: Fields): string[] => {
  const { parameters } = component;
  return Array.isArray(parameters)
    ? parameters.map(parameterText)
    : invalid('Param parameters must be a list');
};

const countMismatch = (part: string, got: number, expected: number): never =>
  refuse({
    status: 400,
    code: 132000,
    message: 'Number of parameters does not match the expected number of params',
    details: `${part}: number of localizable_params (${got}) does not match the expected number of params (${expected})`,
  });

interface Sent {
  readonly parameters: readonly string[];
  readonly button: string | null;
}

/** Reads the components of a template with `count` parameters; an authentication template has a button. */
const componentsIn = (value: unknown, count: number, hasButton: boolean): Sent => {
  const components: readonly unknown[] = Array.isArray(value)
    ? value
    : invalid('Param components must be a list');
  const [body, button, ...more] = components;
  if (more.length > 0) invalid('Unexpected component');
  const bodyFields = objectIn(body, 'components[0]', ['type', 'parameters']);
  if (bodyFields['type'] !== 'body') invalid('Param type must be one of {BODY, HEADER, BUTTON}');
  const parameters = parametersIn(bodyFields);
  if (parameters.length !== count) countMismatch('body', parameters.length, count);
  if (!hasButton) {
    if (button !== undefined) countMismatch('button', 1, 0);
    return { parameters, button: null };
  }
  if (button === undefined)
    refuse({
      status: 400,
      code: 131008,
      message: 'Required parameter is missing',
      details: 'buttons: Button at index 0 of type Url requires a parameter',
    });
  const fields = objectIn(button, 'components[1]', ['type', 'sub_type', 'index', 'parameters']);
  if (fields['type'] !== 'button' || fields['sub_type'] !== 'url' || fields['index'] !== '0')
    invalid('Param sub_type of the button at index 0 must be url');
  const [text = '', ...others] = parametersIn(fields);
  if (others.length > 0) countMismatch('buttons', others.length + 1, 1);
  if (text.length > 15) refuse({ status: 400, code: 132005, message: 'Translated text too long' });
  return { parameters, button: text };
};

/** The message in a request body. Throws a `Refusal` as the API would refuse it. */
const messageIn = (body: unknown, codeTemplate: string): Omit<TakenMessage, 'id'> => {
  const fields = ['messaging_product', 'recipient_type', 'to', 'type', 'template'];
  const message = objectIn(body, 'message', fields);
  if (message['messaging_product'] !== 'whatsapp') invalid('Param messaging_product must be whatsapp');
  if (message['recipient_type'] !== 'individual') invalid('Param recipient_type must be individual');
  if (message['type'] !== 'template') invalid('Param type must be one of {TEMPLATE}');
  const to = stringIn(message, 'to');
  if (!/^\+?\d{7,15}$/.test(to))
    refuse({ status: 400, code: 131009, message: 'Parameter value is not valid', details: 'Recipient' });
  const template = objectIn(message['template'], 'template', ['name', 'language', 'components']);
  const name = stringIn(template, 'name');
  const language = stringIn(objectIn(template['language'], 'language', ['code']), 'code');
  const known = registeredTemplates().find((registered) => registered.name === name);
  const isCode = name === codeTemplate;
  if ((known === undefined && !isCode) || !['ar', 'en'].includes(language))
    refuse({
      status: 404,
      code: 132001,
      message: 'Template name does not exist in the translation',
      details: `template name (${name}) does not exist in ${language}`,
    });
  const count = known?.parameters.length ?? 1;
  return { to, template: name, language, ...componentsIn(template['components'], count, isCode) };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return invalid('The request body is not JSON');
  }
};

const VERSION = '/v25.0';

/** Accepts a request. Throws a `Refusal` as the API would refuse it. */
const take = (server: WhatsAppServer, request: IncomingMessage, text: string): TakenMessage => {
  if (request.headers.authorization !== `Bearer ${server.token}`)
    refuse({ status: 401, code: 190, message: 'Invalid OAuth access token - Cannot parse access token' });
  if (request.method !== 'POST' || request.url !== `${VERSION}/${server.phoneId}/messages`)
    refuse({
      status: 400,
      code: 100,
      error_subcode: 33,
      message: 'Unsupported request - object does not exist',
    });
  if (!(request.headers['content-type'] ?? '').startsWith('application/json'))
    invalid('messaging_product is required');
  const number = Buffer.from(`${server.phoneId} ${server.taken.length}`).toString('base64');
  return { id: `wamid.${number}`, ...messageIn(jsonOf(text), server.codeTemplate) };
};

const answer = (
  server: WhatsAppServer,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): void => {
  if (server.instead !== null) {
    server.instead(response);
    return;
  }
  try {
    const message = take(server, request, text);
    if (server.status !== 'paused') server.taken.push(message);
    sendJson(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: message.to.replace('+', '') }],
      messages: [{ id: message.id, message_status: server.status }],
    });
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    whatsAppError(fault.refused)(response);
  }
};

export const openWhatsApp = async (): Promise<WhatsAppServer> => {
  let released = Promise.resolve();
  const { port, start, stop } = await openStandIn((request, response) => {
    whatsApp.requests += 1;
    const answerable = released;
    void textOf(request).then(async (text) => {
      await answerable;
      answer(whatsApp, request, response, text);
    });
  });
  const whatsApp: WhatsAppServer = {
    api: `http://127.0.0.1:${port}${VERSION}`,
    phoneId: '106540352242922',
    token: 'EAAGtestTokenOfTheOperator',
    codeTemplate: 'one_time_code',
    taken: [],
    status: 'accepted',
    instead: null,
    requests: 0,
    hold: () => {
      let release: () => void = () => undefined;
      released = new Promise((resolve) => (release = resolve));
      return release;
    },
    ...{ start, stop },
  };
  return whatsApp;
};

/** The settings of a program that sends by this server. */
export const sendingBy = ({ api, token, phoneId, codeTemplate }: WhatsAppServer) => ({
  ...{ OTP_SENDER: 'whatsapp', WHATSAPP_API: api, WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId },
  WHATSAPP_CODE_TEMPLATE: codeTemplate,
});
