/**
 * Every operation of the staff side, requested by every role and without one, about their own shop and
 * another. Expectations follow from the endpoint table and the roles alone.
 */
import { get as httpGet } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints, staffEndpoints } from '../../src/service/contract/endpoints.ts';
import { ROLE_PERMISSIONS, ROLES, type Role } from '../../src/kernel/permission.ts';
import { at } from '../../src/platform/store/db.ts';
import { openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  pairedTill,
  personId,
  setCredentials,
  type SignedIn,
  signInAs,
  type Till,
} from '../support/people/staff.ts';
import { CASES, type Asked, type Case } from '../support/operations/staff-requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const OTHER = 'kashk';
const SUSPENDED = 'layaly';

let world: World;
let tills: Readonly<Record<string, Till>>;

/** A sign-in of a role, at the same or another branch of the shop, or an invalid credential. */
type Requester =
  | { readonly who: Role; readonly role: Role; readonly isOfBranch: true }
  | { readonly who: 'ramy'; readonly role: 'teller'; readonly isOfBranch: false }
  | {
      readonly who: 'device' | 'no token' | 'unknown token' | 'expired' | 'switched off';
      readonly role: null;
    };

const REQUESTERS: readonly Requester[] = [
  ...ROLES.map((role) => ({ who: role, role, isOfBranch: true }) as const),
  { who: 'ramy', role: 'teller', isOfBranch: false },
  ...(['device', 'no token', 'unknown token', 'expired', 'switched off'] as const).map((who) => ({
    who,
    role: null,
  })),
];

const tokenHash = ({ authorization }: SignedIn): Buffer =>
  world.app.tokens.hashOf(authorization.slice('Bearer '.length));

const linesOf = async ({ who }: Requester): Promise<Record<string, string>> => {
  if (who === 'no token') return {};
  if (who === 'unknown token') return { authorization: `Bearer stf_${'x'.repeat(43)}` };
  if (who === 'device') return { ...tills[SLUG]?.device };
  if (who === 'switched off') return { ...switchedOff };
  const lines = await signInAs(world, who === 'expired' ? 'owner' : who);
  if (who === 'expired')
    await world.db.kysely
      .updateTable('staff_session')
      .set({ expires_at: at(world.now) })
      .where('token_hash', '=', tokenHash(lines))
      .execute();
  return { ...lines };
};

let switchedOff: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(), aStaffedShop(OTHER), aStaffedShop(SUSPENDED));
  for (const slug of [SLUG, OTHER, SUSPENDED]) await setCredentials(world, slug);
  tills = { [SLUG]: await pairedTill(world), [SUSPENDED]: await pairedTill(world, 'zamalek', SUSPENDED) };
  switchedOff = await signInAs(world, 'manager', OTHER);
  await world.db.kysely
    .updateTable('staff')
    .set({ is_active: false })
    .where('id', '=', personId('manager', OTHER))
    .execute();
});
afterAll(() => world.close());

interface Outcome {
  readonly status: number;
  readonly code?: string;
  readonly permission?: string;
}

const outcomeIn = (status: number, body: unknown): Outcome => {
  const refusal = (body ?? {}) as { code?: string; vars?: { permission?: string } };
  return {
    status,
    ...(refusal.code !== undefined && { code: refusal.code }),
    ...(refusal.vars?.permission !== undefined && { permission: refusal.vars.permission }),
  };
};

/** Ends the stream with its first bytes, which are the whole of a refusal. */
const beginning = (address: string, headers: Record<string, string>): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const request = httpGet({ host: '127.0.0.1', port: world.port, path: address, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      response.once('data', (bytes: Buffer) => {
        resolve(outcomeIn(status, status === 200 ? null : JSON.parse(bytes.toString('utf8'))));
        request.destroy();
      });
    });
    request.on('error', reject);
  });

const outcomeOf = async (
  endpoint: Endpoint,
  { method, address, body }: Asked,
  lines: Record<string, string>,
): Promise<Outcome> => {
  if (endpoint.answers === 'events') return beginning(address, lines);
  const headers = body === undefined ? lines : { ...lines, 'content-type': 'application/json' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const reply = await world.send(method ?? 'GET', address, headers, text);
  return outcomeIn(reply.status, reply.body);
};

const NOBODY: Outcome = { status: 401, code: 'SIGN_IN_REQUIRED' };
const ENDED: Outcome = { status: 401, code: 'SESSION_ENDED' };
const BEARERS_OF_SESSIONS: readonly string[] = ['unknown token', 'expired', 'switched off'];

const expectedOf = (
  { access, status }: Endpoint,
  {
    otherShopStatus,
    otherShopCode,
    own,
    isShopWide,
  }: Pick<Case, 'otherShopStatus' | 'otherShopCode' | 'own' | 'isShopWide'>,
  requester: Requester,
  isOwnShop: boolean,
): Outcome => {
  const ok: Outcome = { status };
  const unknown = (status: number): Outcome => ({
    status,
    ...(otherShopCode !== undefined && { code: otherShopCode }),
  });
  const others: Outcome = otherShopStatus === null ? ok : unknown(otherShopStatus);
  if (access === undefined) throw new Error('an operation of the staff’s side that anybody may call');
  if (access.by === 'anyone') return ok;
  if (access.by === 'device') return requester.who !== 'device' ? NOBODY : isOwnShop ? ok : others;
  if (requester.role === null) return BEARERS_OF_SESSIONS.includes(requester.who) ? ENDED : NOBODY;
  const { permission } = access;
  if (permission !== null && !ROLE_PERMISSIONS[requester.role].includes(permission))
    return { status: 403, code: 'NOT_PERMITTED', permission };
  const isAnyBranch = own !== undefined || isShopWide === true;
  return isOwnShop && (requester.isOfBranch || isAnyBranch) ? ok : others;
};

const table: Readonly<Record<string, Endpoint>> = staffEndpoints;

test('every staff operation has a case here and an address apart from the public ones', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(staffEndpoints).toSorted());
  for (const { path, access } of Object.values(table)) {
    expect(path).toMatch(/^\/(staff|sync)\//);
    expect(access).toBeDefined();
  }
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    expect(endpoint.path).not.toMatch(/^\/(staff|sync)\b/);
    expect(endpoint.access).toBeUndefined();
  }
});

/** Memoized. */
const memoize = <Key, Value>(make: (key: Key) => Value) => {
  const made = new Map<Key, Value>();
  return {
    of: (key: Key): Value => {
      const value = made.get(key) ?? make(key);
      made.set(key, value);
      return value;
    },
    forget: () => made.clear(),
  };
};
const memoizedLines = memoize(linesOf);

describe.each(Object.entries(CASES))('%s', (id, known) => {
  const endpoint = table[id];
  if (endpoint === undefined) throw new Error(`no operation ${id}`);
  const fresh = (slug: string) => known.ask(world, slug);
  const [ask, lines] = known.isOnce === true ? [fresh, linesOf] : [memoize(fresh).of, memoizedLines.of];
  const requestBy = ({ who, role }: Requester, slug: string) =>
    known.own === undefined || role === null || slug !== SLUG ? ask(slug) : known.own(world, who, slug);
  afterAll(async () => {
    if (known.endsOthers === true) memoizedLines.forget();
    await known.undo?.(world, SUSPENDED);
  });

  test.each(REQUESTERS)(
    'a call by $who gets the answer that endpoint table and roles require',
    async (requester) => {
      for (const slug of known.otherShopStatus === null ? [SLUG] : [SLUG, OTHER]) {
        const outcome = await outcomeOf(endpoint, await requestBy(requester, slug), await lines(requester));
        await known.undo?.(world, slug);
        expect(outcome, `at ${slug}`).toEqual(expectedOf(endpoint, known, requester, slug === SLUG));
      }
    },
  );

  test('a call from a suspended shop gets ORG_SUSPENDED unless the endpoint allows the call', async () => {
    const isDevices = endpoint.access?.by === 'device';
    const who = isDevices ? tills[SUSPENDED]?.device : await signInAs(world, 'owner', SUSPENDED);
    const what = await ask(SUSPENDED);
    const switchTo = (isActive: boolean) =>
      world.db.kysely
        .updateTable('shop')
        .set({ is_active: isActive })
        .where('org_id', '=', shopId(SUSPENDED))
        .execute();
    await switchTo(false);
    try {
      const { access } = endpoint;
      const mayLeave =
        (access?.by === 'staff' && access.evenSuspended === true) ||
        (access?.by === 'device' && access.evenEnded === true);
      const suspended = { status: 403, code: 'ORG_SUSPENDED' };
      expect(await outcomeOf(endpoint, what, { ...who })).toEqual(
        mayLeave ? { status: endpoint.status } : suspended,
      );
    } finally {
      await switchTo(true);
    }
  });
});
