/** The functions behind the doors, typed by the endpoint table. */
import type { Answer, EventStream, Repeated } from '../../platform/app/answer.ts';
import type { Meter } from '../../platform/app/meter.ts';
import type { Actor, PairedDevice } from '../../staff/app/access.ts';
import type { BodyOf, HeadersOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Language } from '../../kernel/names.ts';
import type { EndpointTable } from './routes.ts';

/** A request, read and checked: every value is its scalar's, the body is of the declared shape. */
export interface Input<E> {
  readonly path: PathOf<E>;
  readonly query: QueryOf<E>;
  readonly headers: HeadersOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: Caller;
  readonly actor: ActorOf<E>;
}

/** What is known of whoever asks, signed in or not. */
export interface Caller {
  /**
   * Their address, as the limits count it. On the staff's side it may differ from what the request itself is counted by,
   * a device or a person: wrong passwords count by the address.
   */
  readonly client: string;
  /** The language that they prefer; null where they say nothing of it. */
  readonly language: Language | null;
  /** Where what the request costs is added up. */
  readonly meter: Meter;
}

/** The one who asks, on the staff's side. */
type ActorOf<E> = E extends { access: { by: 'staff' } }
  ? Actor
  : E extends { access: { by: 'device' } }
    ? PairedDevice
    : undefined;

/** An operation that nobody may keep (`cache: 'no-store'`) gives its reply; every other says how long it holds. */
export type Handler<E> = E extends { answers: 'events' }
  ? (input: Input<E>) => Promise<EventStream>
  : E extends { cache: 'no-store' }
    ? (input: Input<E>) => Promise<ReplyOf<E> | Repeated<ReplyOf<E>>>
    : (input: Input<E>) => Promise<Answer<ReplyOf<E>>>;

/** Answered by the doors themselves, once made. */
export type DocumentId = 'about' | 'openapi';

export type HandlersOf<T extends EndpointTable> = {
  readonly [Id in Exclude<keyof T, DocumentId>]: Handler<T[Id]>;
};
