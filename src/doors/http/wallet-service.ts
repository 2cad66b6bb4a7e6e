/** The web service of passes of wallet one, with the statuses that phones expect (PassKit Web Service Reference). */
import Type from 'typebox';
import { PHONE_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { endpoint, type Endpoint } from '../../platform/contract/endpoint.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { PassAddress, PhoneService } from '../../loyalty/app/wallets/phone-service.ts';
import { PASS_MEDIA_TYPE } from '../../loyalty/contract/wallet.ts';
import type { ReadJson } from '../../platform/app/answer.ts';
import { decoded, type Target } from './address.ts';
import { bodyCheck } from '../../platform/app/body-check.ts';
import { refusedCoding } from './cache/encodings.ts';
import type { Exchange, ResponseWriter } from './exchange.ts';
import { JSON_TYPE, PUBLIC_HEADERS } from './headers.ts';
import type { RawEndpoints } from './raw-endpoints.ts';

const PushTokenBody = Type.Object({
  pushToken: Type.String({ minLength: 16, maxLength: 256, pattern: '^[0-9A-Za-z_-]+$' }),
});
const LogBody = Type.Object({ logs: Type.Array(Type.String(), { maxItems: 100 }) });

const at = (
  id: string,
  method: Endpoint['method'],
  path: string,
  limit: Endpoint['limit'],
  body?: Endpoint['body'],
): Endpoint =>
  endpoint({
    ...{ id, method, path: `/wallet/v1/${path}`, tag: 'Loyalty', summary: id },
    ...{ params: {}, query: {}, reply: Type.Unknown(), refusals: [], examples: {} },
    ...(body === undefined ? {} : { body }),
    ...{ cache: 'no-store', limit },
  });

const REGISTRATION = 'devices/{device}/registrations/{passType}/{serial}';

const ENDPOINTS = {
  registerPass: at('registerPass', 'POST', REGISTRATION, 'writes', PushTokenBody),
  unregisterPass: at('unregisterPass', 'DELETE', REGISTRATION, 'writes'),
  updatedPasses: at(
    ...(['updatedPasses', 'GET', 'devices/{device}/registrations/{passType}'] as const),
    'booking_and_loyalty_reads',
  ),
  latestPass: at('latestPass', 'GET', 'passes/{passType}/{serial}', 'booking_and_loyalty_reads'),
  logOfPhone: at('logOfPhone', 'POST', 'log', 'writes', LogBody),
} as const;

const DEVICE = /^[\w.:-]{1,128}$/;

/** The segments after `/wallet/v1/`. */
const segmentsOf = ({ path }: Target): readonly string[] =>
  path
    .split('/')
    .slice(3)
    .map((text) => decoded(text) ?? '');

const deviceIn = (target: Target): string => {
  const device = segmentsOf(target)[1] ?? '';
  if (!DEVICE.test(device))
    throw invalidInput({
      path: 'device',
      problem: 'is no device library identifier',
      arabic: 'ليس معرّف جهاز',
    });
  return device;
};

/** `valueAt`: the place of the pass type. */
const addressIn = ({ request }: Exchange, target: Target, valueAt: number): PassAddress => {
  const [passType = '', serial = ''] = segmentsOf(target).slice(valueAt);
  return { passType, serial, authorization: request.headers.authorization };
};

const plain = (type: string, length: number): string[] => [
  ...['Content-Type', type, 'Content-Length', String(length), 'Cache-Control', 'no-store'],
  ...PUBLIC_HEADERS,
];

const NO_CONTENT: readonly string[] = ['Cache-Control', 'no-store', ...PUBLIC_HEADERS];

/** Throws INVALID_INPUT with the field. */
const bodyIn = async (json: () => Promise<ReadJson>, schema: Type.TSchema): Promise<unknown> => {
  const read = await json();
  if (!('value' in read)) {
    throw invalidInput({ path: 'body', ...('malformed' in read ? read.malformed : read.tooLarge) });
  }
  const faults = bodyCheck(schema)(read.value);
  if (faults.length > 0) throw invalidInput(...faults);
  return read.value;
};

/** Null: none, or no date. */
const dateIn = (text: string | undefined): number | null => {
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? null : date;
};

const httpDate = (instant: number): string => new Date(instant).toUTCString();

const createAnswers = (service: PhoneService, responses: ResponseWriter) => {
  const empty = (exchange: Exchange, status: number): void =>
    responses.write(exchange, status, plain(JSON_TYPE, 0), '');
  const json = (exchange: Exchange, status: number, reply: unknown): void => {
    const body = JSON.stringify(reply);
    responses.write(exchange, status, plain(JSON_TYPE, Buffer.byteLength(body)), body);
  };
  return {
    registerPass: async (exchange: Exchange, target: Target, read: () => Promise<ReadJson>) => {
      const { pushToken } = (await bodyIn(read, PushTokenBody)) as Type.Static<typeof PushTokenBody>;
      const isNew = await service.register(addressIn(exchange, target, 3), deviceIn(target), pushToken);
      empty(exchange, isNew ? 201 : 200);
    },
    unregisterPass: async (exchange: Exchange, target: Target) => {
      await service.unregister(addressIn(exchange, target, 3), deviceIn(target));
      empty(exchange, 200);
    },
    updatedPasses: async (exchange: Exchange, target: Target) => {
      const tag = new URLSearchParams(target.query).get('passesUpdatedSince');
      const { passType } = addressIn(exchange, target, 3);
      const found = await service.updatedPasses(passType, deviceIn(target), tag);
      if (found === null) responses.write(exchange, 204, [...NO_CONTENT], null);
      else json(exchange, 200, found);
    },
    latestPass: async (exchange: Exchange, target: Target) => {
      const since = dateIn(exchange.request.headers['if-modified-since']);
      const found = await service.latestPass(addressIn(exchange, target, 1), since);
      if (found === null) {
        responses.write(exchange, 304, [...NO_CONTENT], null);
        return;
      }
      const lines = plain(PASS_MEDIA_TYPE, found.pass.length);
      const headers = [...lines, 'Last-Modified', httpDate(found.lastModified)];
      responses.write(exchange, 200, headers, found.pass);
    },
    logOfPhone: async (exchange: Exchange, _: Target, read: () => Promise<ReadJson>) => {
      const { logs } = (await bodyIn(read, LogBody)) as Type.Static<typeof LogBody>;
      service.logged(logs);
      empty(exchange, 200);
    },
  };
};

const isAnswered = (id: string | undefined): id is keyof typeof ENDPOINTS =>
  id !== undefined && Object.hasOwn(ENDPOINTS, id);

export const createWalletService = (service: PhoneService, responses: ResponseWriter): RawEndpoints => {
  const answers = createAnswers(service, responses);
  return {
    endpoints: ENDPOINTS,
    bodyLimit: PHONE_BODY_LIMIT,
    refusalOf: (headers, { method }) => (method === 'POST' ? refusedCoding(headers) : null),
    answer: async (exchange, _, target, json) => {
      const id = exchange.endpoint?.id;
      if (!isAnswered(id)) throw new Refusal('NOT_FOUND');
      await answers[id](exchange, target, json);
    },
  };
};
