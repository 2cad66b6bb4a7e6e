/** The web framework, as far as it is used: routes from the endpoint table, and the reading of request bodies. */
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readsBody, type Endpoint } from '../contract/endpoint.ts';
import { Refusal } from '../domain/refusal.ts';
import { MAX_ADDRESS } from './address.ts';
import { isEmpty, parseJson } from './body.ts';

export interface FrameworkParts {
  readonly endpoints: readonly Endpoint[];
  /** Bytes, where the endpoint says nothing of them. */
  readonly bodyLimit: number;
  /** Those whose bodies are handed on as they came. */
  readonly unread: readonly { readonly endpoints: readonly Endpoint[]; readonly bodyLimit: number }[];
  /** A request whose body (undefined: none) has been read; answers it, and never rejects. */
  readonly run: (request: IncomingMessage, body: unknown) => Promise<void>;
  /** A request that was given up on; answers it. */
  readonly fail: (request: IncomingMessage, fault: unknown) => void;
}

export interface Framework {
  route(request: IncomingMessage, response: ServerResponse): void;
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** JSON bodies alone are taken, and handed on as `read` has them. */
const takeJson = (app: FastifyInstance, read: (bytes: Buffer) => unknown): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_, bytes, done) => {
    try {
      done(null, read(bytes));
    } catch (fault) {
      done(fault instanceof Error ? fault : new Error('Unreadable body.'));
    }
  });
};

const isTooLarge = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/** `limit` in bytes. */
const tooLarge = (limit: number): Refusal => new Refusal('BODY_TOO_LARGE', { limit: limit / 1024 });

export const createFramework = ({ endpoints, bodyLimit, unread, run, fail }: FrameworkParts): Framework => {
  // Answers are written by us, so that there is one way of writing them: each request is taken over from the reply.
  const take = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    return run(request.raw, request.body);
  };
  const refuse = (fault: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    fail(request.raw, isTooLarge(fault) ? tooLarge(request.routeOptions.bodyLimit) : fault);
  };
  const app = Fastify({
    bodyLimit,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_ADDRESS },
    // An address that the router cannot decode: reading its parameters names the place.
    frameworkErrors: (_, request, reply) => void take(request, reply),
  });
  takeJson(app, parseJson);
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(new Refusal('NOT_FOUND'), request, reply));
  const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
  const all = [...new Map(endpoints.map((each) => [each.id, each])).values()];
  for (const endpoint of all.filter(({ body }) => body !== undefined))
    app.route({
      method: endpoint.method,
      url: addressOf(endpoint.path),
      bodyLimit: endpoint.bodyLimit ?? bodyLimit,
      handler: take,
    });
  void app.register((apart, _, done) => {
    // What is only read minds no body, whatever it is: nothing here reads one, and that nothing does is no fault.
    apart.removeAllContentTypeParsers();
    apart.setErrorHandler((_, request, reply) => take(request, reply));
    for (const { method, path } of all.filter((each) => !readsBody(each)))
      apart.route({ method, url: addressOf(path), handler: take });
    done();
  });
  void app.register((apart, _, done) => {
    // What takes no body minds none of which nothing is there, whatever type that is said to be.
    apart.setErrorHandler((fault, request, reply) =>
      isEmpty(request.headers) ? take(request, reply) : refuse(fault, request, reply),
    );
    for (const { method, path } of all.filter((each) => each.body === undefined && readsBody(each)))
      apart.route({ method, url: addressOf(path), handler: take });
    done();
  });
  void app.register((apart, _, done) => {
    takeJson(apart, (bytes) => bytes);
    for (const { endpoints: own, bodyLimit: limit } of unread)
      for (const { method, path } of own)
        apart.route({ method, url: addressOf(path), bodyLimit: limit, handler: take });
    done();
  });
  return {
    route: (request, response) => app.routing(request, response),
    ready: async () => {
      await app.ready();
    },
    close: () => app.close(),
  };
};
