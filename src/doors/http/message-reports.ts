/** Delivery reports of the message provider (WhatsApp's webhook). */
import Type from 'typebox';
import { MESSAGE_REPORT_LIMIT } from '../../platform/contract/body-limits.ts';
import { endpoint, type Endpoint } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { refusedCoding } from './cache/encodings.ts';
import type { ResponseWriter } from './exchange.ts';
import { PUBLIC_HEADERS } from './headers.ts';
import type { RawEndpoints } from './raw-endpoints.ts';

export interface MessageReportReceiver {
  /** The answer to the provider's challenge; null: refused. */
  challenge(query: URLSearchParams): string | null;
  /** False where the signature is missing or wrong. */
  take(report: Buffer, signature: string | undefined): Promise<boolean>;
}

const at = (method: 'GET' | 'POST'): Endpoint =>
  endpoint({
    ...{
      id: `whatsapp${method}`,
      method,
      path: '/whatsapp/status',
      tag: 'Service',
      summary: 'Reports of messages',
    },
    ...{ params: {}, query: {}, reply: Type.Unknown(), refusals: [], examples: {} },
    ...(method === 'POST' ? { body: Type.Unknown() } : {}),
    ...{ cache: 'no-store', limit: 'general' },
  });

const plain = (text: string): string[] => [
  ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))],
  ...['Cache-Control', 'no-store', ...PUBLIC_HEADERS],
];

export const createMessageReports = (
  taker: MessageReportReceiver,
  responses: ResponseWriter,
): RawEndpoints => ({
  endpoints: { whatsappAsked: at('GET'), whatsappReport: at('POST') },
  bodyLimit: MESSAGE_REPORT_LIMIT,
  refusalOf: (headers, { method }) => (method === 'POST' ? refusedCoding(headers) : null),
  answer: async (exchange, body, { query }) => {
    const { method, headers } = exchange.request;
    if (method !== 'POST') {
      const answer = taker.challenge(new URLSearchParams(query));
      if (answer === null) throw new Refusal('REPORT_NOT_SIGNED');
      responses.write(exchange, 200, plain(answer), answer);
      return;
    }
    const signature = headers['x-hub-signature-256'];
    if (!(await taker.take(body, Array.isArray(signature) ? signature[0] : signature)))
      throw new Refusal('REPORT_NOT_SIGNED');
    responses.write(exchange, 200, plain(''), '');
  },
});
