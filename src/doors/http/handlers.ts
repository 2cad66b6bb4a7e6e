/** The handlers' types, derived from the endpoint table. */
import type { Answer, CookieReply, EventStream, Repeated } from '../../platform/app/answer.ts';
import type { Meter } from '../../platform/app/meter.ts';
import type { Actor, PairedDevice } from '../../staff/app/access.ts';
import type {
  BodyOf,
  EndpointTable,
  HeadersOf,
  PathOf,
  QueryOf,
  ReplyOf,
} from '../../platform/contract/endpoint.ts';
import type { Language } from '../../kernel/names.ts';

export interface Input<E> {
  readonly path: PathOf<E>;
  readonly query: QueryOf<E>;
  readonly headers: HeadersOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: Caller;
  readonly actor: ActorOf<E>;
}

export interface Caller {
  /** The address. Signed-in staff are limited by device or person, but wrong passwords count by address. */
  readonly client: string;
  /** The preferred language; null where the client names none. */
  readonly language: Language | null;
  /** Sums up the event-loop time of the request. */
  readonly meter: Meter;
}

type ActorOf<E> = E extends { access: { by: 'staff' } }
  ? Actor
  : E extends { access: { by: 'device' } }
    ? PairedDevice
    : undefined;

/** `cache: 'no-store'`: the handler returns its reply. Otherwise it returns an `Answer`, with the reply's validity. */
export type Handler<E> = E extends { answers: 'events' }
  ? (input: Input<E>) => Promise<EventStream>
  : E extends { cache: 'no-store' }
    ? (input: Input<E>) => Promise<ReplyOf<E> | Repeated<ReplyOf<E>> | CookieReply<ReplyOf<E>>>
    : (input: Input<E>) => Promise<Answer<ReplyOf<E>>>;

export type DocumentId = 'about' | 'openapi';

export type HandlersOf<T extends EndpointTable> = {
  readonly [Id in Exclude<keyof T, DocumentId>]: Handler<T[Id]>;
};
