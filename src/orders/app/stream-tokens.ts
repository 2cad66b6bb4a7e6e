/**
 * Streams of a browser's EventSource, which sends no Authorization header: a token opens one stream within a minute
 * (Decisions 12).
 */
import type { BodyOf, HeadersOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { EventStream } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import { actorOfSession, shopOfToken, type Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type * as contract from '../contract/stream-tokens.ts';
import { addStreamToken, spendStreamToken } from '../store/stream-tokens.ts';
import { mayListen, openBoard, type BoardEvents } from './board-events.ts';

const TOKEN_MS = 60 * 1_000;

interface Asked {
  readonly body: BodyOf<typeof contract.makeStreamToken>;
  readonly actor: Actor;
}

/** POST /staff/events/token. Throws NOT_FOUND for another's branch. */
export const makeStreamToken =
  (app: App) =>
  async ({ body, actor }: Asked): Promise<ReplyOf<typeof contract.makeStreamToken>> => {
    const branchId = body.branch_id.toLowerCase();
    await ownBranch(app, actor, branchId);
    const token = app.tokens.make('stream', await app.shopCodes.codeOf(app.db.kysely, actor.orgId));
    const expiresAt = app.clock.now() + TOKEN_MS;
    const tokenHash = app.tokens.hashOf(token);
    await addStreamToken(app.db.kysely, { tokenHash, session: actor.session, branchId, expiresAt });
    return { stream_token: token, expires_at: isoInstant(expiresAt) };
  };

interface Opening {
  readonly path: PathOf<typeof contract.streamBoardEvents>;
  readonly query: QueryOf<typeof contract.streamBoardEvents>;
  readonly headers: HeadersOf<typeof contract.streamBoardEvents>;
}

/** GET /staff/events/{stream_token}. Throws STREAM_TOKEN_INVALID, ORG_SUSPENDED. */
export const streamBoardEvents =
  (app: App, boards: BoardEvents) =>
  async ({ path, ...resumed }: Opening): Promise<EventStream> => {
    const { db, clock, tokens } = app;
    const bound = await spendStreamToken(db.kysely, tokens.hashOf(path.stream_token), clock.now());
    if (bound === null) throw new Refusal('STREAM_TOKEN_INVALID');
    const orgId = await shopOfToken(app, path.stream_token, () => Promise.resolve(null));
    const actor = orgId === null ? null : await actorOfSession(app)(orgId, bound.session);
    if (actor === null || !mayListen(actor, bound.branchId)) throw new Refusal('STREAM_TOKEN_INVALID');
    return openBoard(app, boards, { actor, branchId: bound.branchId, resumed });
  };
