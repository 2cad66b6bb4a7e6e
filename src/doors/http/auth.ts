/** Who asks on the staff's side: the bearer token of a person or of a paired device (Decisions 12). */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Actor, PairedDevice } from '../../staff/app/access.ts';
import type { Access, Endpoint } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { permissionsOf } from '../../kernel/permission.ts';

/** Who a token names; null for one that is unknown or has ended. Throws ORG_SUSPENDED, but where `evenSuspended`. */
export interface Authenticate {
  staff(token: string, evenSuspended: boolean): Promise<Actor | null>;
  device(token: string): Promise<PairedDevice | null>;
}

export interface Guard {
  /** The one who asks, as the operation's `access` wants; undefined where it wants nobody. */
  admit(request: IncomingMessage, endpoint: Endpoint): Promise<Actor | PairedDevice | undefined>;
  /** What the limits count a request of the staff's side by when its token was good lately; null: by its address. */
  clientOf(request: IncomingMessage, endpoint: Endpoint | null): string | null;
}

const bearerOf = ({ headers: { authorization = '' } }: IncomingMessage): string | null =>
  /^Bearer +([\w-]{1,200})$/i.exec(authorization)?.[1] ?? null;

/** Tokens remembered as good, and for how long (monotonic ms): only what they are counted by hangs on it. */
const MOST_KNOWN = 10_000;
const KNOWN_MS = 60 * 60_000;

/** Whoever signs in, or asks for what is public, is counted by their address, whatever token they show. */
const needsToken = (endpoint: Endpoint | null): boolean =>
  endpoint?.access !== undefined && endpoint.access.by !== 'anyone';

const isActor = (known: Actor | PairedDevice): known is Actor => 'staffId' in known;

export const createGuard = (authenticate: Authenticate, monotonic: () => number): Guard => {
  const good = new Map<string, { readonly client: string; readonly until: number }>();
  const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64');

  const remember = (token: string, known: Actor | PairedDevice): void => {
    const key = keyOf(token);
    good.delete(key);
    const client = known.deviceId ?? (isActor(known) ? known.staffId : '');
    good.set(key, { client: `signed in: ${client}`, until: monotonic() + KNOWN_MS });
    for (const oldest of good.keys()) {
      if (good.size <= MOST_KNOWN) return;
      good.delete(oldest);
    }
  };

  const whose = async (token: string, access: Access): Promise<Actor | PairedDevice | null> => {
    if (access.by === 'anyone') return null;
    if (access.by === 'device') return authenticate.device(token);
    return authenticate.staff(token, access.evenSuspended === true);
  };

  const named = async (request: IncomingMessage, access: Access): Promise<Actor | PairedDevice> => {
    const token = bearerOf(request);
    const known = token === null ? null : await whose(token, access);
    if (token !== null && known === null) good.delete(keyOf(token));
    if (token === null || known === null) throw new Refusal('SIGN_IN_REQUIRED');
    remember(token, known);
    return known;
  };

  return {
    admit: async (request, { access }) => {
      if (access === undefined || access.by === 'anyone') return undefined;
      const known = await named(request, access);
      if (access.by === 'staff' && access.permission !== null && isActor(known)) {
        const { permission } = access;
        if (!permissionsOf(known.role).includes(permission))
          throw new Refusal('NOT_PERMITTED', { permission });
        if (!known.permissions.includes(permission))
          throw new Refusal('REAUTHENTICATION_REQUIRED', { permission });
      }
      if (access.by === 'staff' && access.elevated === true && isActor(known) && known.elevatedUntil === null)
        throw new Refusal('REAUTHENTICATION_REQUIRED');
      return known;
    },
    clientOf: (request, endpoint) => {
      const token = needsToken(endpoint) ? bearerOf(request) : null;
      if (token === null) return null;
      const known = good.get(keyOf(token));
      return known !== undefined && known.until > monotonic() ? known.client : null;
    },
  };
};
