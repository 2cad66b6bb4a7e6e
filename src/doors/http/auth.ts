/** Authentication and authorization of the staff API, by bearer token or a browser's cookie (Decisions 12). */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Actor, PairedDevice } from '../../staff/app/access.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { hasFormOf } from '../../platform/app/tokens.ts';
import type { Access, Endpoint } from '../../platform/contract/endpoint.ts';
import { Refusal, type RefusalName } from '../../kernel/refusal.ts';
import { permissionsOf } from '../../kernel/permission.ts';

/** Null for a token that is unknown or has expired. Throws ORG_SUSPENDED, unless `evenSuspended`. */
export interface Authenticate {
  staff(token: string, evenSuspended: boolean): Promise<Actor | null>;
  device(token: string, evenEnded: boolean): Promise<PairedDevice | null>;
}

export interface Guard {
  /** The caller that the operation's `access` requires; undefined where it requires none. Throws a `Refusal`. */
  admit(request: IncomingMessage, endpoint: Endpoint): Promise<Actor | PairedDevice | undefined>;
  /** The client that a staff request is counted for while its token was valid lately; null: its address. */
  clientOf(request: IncomingMessage, endpoint: Endpoint | null): string | null;
}

const bearerOf = ({ headers: { authorization = '' } }: IncomingMessage): string | null =>
  /^Bearer +([\w-]{1,200})$/i.exec(authorization)?.[1] ?? null;

/**
 * Cached valid tokens, and for how long, ms. The cache only chooses the client of the limits; it never authenticates.
 */
const MAX_TOKENS = 10_000;
const TOKEN_MS = 60 * 60_000;

/** By the form of the token alone, so that it does not reveal which tokens existed. */
const refusalOf = (token: string | null, { by }: Access): RefusalName => {
  if (token === null) return 'SIGN_IN_REQUIRED';
  if (by === 'staff' && hasFormOf('staff', token)) return 'SESSION_ENDED';
  if (by === 'device' && hasFormOf('till', token)) return 'DEVICE_REVOKED';
  return 'SIGN_IN_REQUIRED';
};

const isActor = (caller: Actor | PairedDevice): caller is Actor => 'staffId' in caller;

export interface GuardParts {
  readonly authenticate: Authenticate;
  readonly monotonic: () => number;
  readonly browserSessions: Pick<BrowserSessions, 'tokenOf'>;
}

export const createGuard = ({ authenticate, monotonic, browserSessions }: GuardParts): Guard => {
  const valid = new LRUCache<string, { readonly client: string; readonly until: number }>({
    max: MAX_TOKENS,
  });
  const tokenOf = (request: IncomingMessage, access: Access): string | null => {
    const inCookie = access.by === 'staff' ? browserSessions.tokenOf(request.headers) : null;
    return inCookie ?? bearerOf(request);
  };

  const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64');

  const addValid = (token: string, caller: Actor | PairedDevice): void => {
    const client = caller.deviceId ?? (isActor(caller) ? caller.staffId : '');
    valid.set(keyOf(token), { client: `signed in: ${client}`, until: monotonic() + TOKEN_MS });
  };

  const callerOf = async (token: string, access: Access): Promise<Actor | PairedDevice | null> => {
    if (access.by === 'anyone') return null;
    if (access.by === 'device') return authenticate.device(token, access.evenEnded === true);
    return authenticate.staff(token, access.evenSuspended === true);
  };

  const requireCaller = async (request: IncomingMessage, access: Access): Promise<Actor | PairedDevice> => {
    const token = tokenOf(request, access);
    const caller = token === null ? null : await callerOf(token, access);
    if (token !== null && caller === null) valid.delete(keyOf(token));
    if (token === null || caller === null) throw new Refusal(refusalOf(token, access));
    addValid(token, caller);
    return caller;
  };

  return {
    admit: async (request, { access }) => {
      if (access === undefined || access.by === 'anyone') return undefined;
      const caller = await requireCaller(request, access);
      if (access.by === 'staff' && access.permission !== null && isActor(caller)) {
        const { permission } = access;
        if (!permissionsOf(caller.role).includes(permission))
          throw new Refusal('NOT_PERMITTED', { permission });
        if (!caller.permissions.includes(permission))
          throw new Refusal('REAUTHENTICATION_REQUIRED', { permission });
      }
      if (
        access.by === 'staff' &&
        access.elevated === true &&
        isActor(caller) &&
        caller.elevatedUntil === null
      )
        throw new Refusal('REAUTHENTICATION_REQUIRED');
      return caller;
    },
    clientOf: (request, endpoint) => {
      const access = endpoint?.access;
      // A sign-in or a public request is counted by its address, even with a token.
      if (access === undefined || access.by === 'anyone') return null;
      const token = tokenOf(request, access);
      if (token === null) return null;
      const known = valid.get(keyOf(token));
      return known !== undefined && known.until > monotonic() ? known.client : null;
    },
  };
};
