/** The functions behind the doors, typed by the endpoint table. */
import type { Answer } from '../app/answer.ts';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../contract/endpoint.ts';
import type { EndpointTable } from './routes.ts';

/** A request, read and checked: every value is its scalar's, the body is of the declared shape. */
export interface Input<E> {
  readonly path: PathOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

/** An operation that nobody may keep (`cache: 'no-store'`) gives its reply; every other says how long it holds. */
export type Handler<E> = E extends { cache: 'no-store' }
  ? (input: Input<E>) => Promise<ReplyOf<E>>
  : (input: Input<E>) => Promise<Answer<ReplyOf<E>>>;

/** Answered by the doors themselves, once made. */
export type DocumentId = 'about' | 'openapi';

export type HandlersOf<T extends EndpointTable> = {
  readonly [Id in Exclude<keyof T, DocumentId>]: Handler<T[Id]>;
};
