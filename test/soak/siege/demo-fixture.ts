/** Ids and tokens of the demo shop for clients and attackers, read over HTTP before the siege. */
import { DEMO_PASSWORD, DEMO_PIN } from '../../../src/service/app/demo.ts';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf, OperationId, StaffOperationId } from '../../../src/service/contract/endpoints.ts';
import { clientFrom, posted, type Asked } from './client.ts';

export const SLUG = 'beit-el-bunn';
export const OWNER = `owner@${SLUG}.example`;
export const MANAGER = `manager@${SLUG}.example`;
/** A Tuesday morning in Cairo: the branch without codes stays open for fourteen hours. */
export const CLOCK_START = '2026-12-01T08:00:00Z';

type Reply<Id extends OperationId | StaffOperationId> = ReplyOf<EndpointOf<Id>>;

export interface DemoFixture {
  /** A branch that takes orders without codes. */
  readonly branchId: string;
  /** Items without required options. */
  readonly items: readonly string[];
  /** A paired device; `own`: a person whose PIN the attacker knows, `other`: one whose PIN is guessed. */
  readonly device: { readonly token: string; readonly own: string; readonly other: string };
}

export const STAFF_ADDRESS = '127.2.0.1';

export const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` });

export const signIn = (email: string): Asked => posted({ email, password: DEMO_PASSWORD });

export { DEMO_PIN };

/** Reads the demo shop and pairs a device. Throws when the demo differs. */
export const readDemoFixture = async (port: number): Promise<DemoFixture> => {
  const client = clientFrom(port, STAFF_ADDRESS);
  const get = async <Id extends OperationId | StaffOperationId>(
    _: Id,
    path: string,
    asked?: Asked,
  ): Promise<Reply<Id>> => {
    const { status, text } = await client.ask(path, asked);
    if (status !== 200 && status !== 201) throw new Error(`${path} is answered ${status}: ${text}`);
    // The tests of the operation check the shape.
    return JSON.parse(text) as Reply<Id>;
  };
  const found = <T>(thing: T | undefined, what: string): T => {
    if (thing === undefined) throw new Error(`The demo has no ${what}.`);
    return thing;
  };
  try {
    const { brand } = await get('getLinks', `/public/orgs/links?slug=${SLUG}`);
    const branches = await get('listBranches', `/public/branches?org_id=${brand.org_id}`);
    const { id: branchId } = found(
      branches.find((branch) => branch.pickup_open_now && !branch.otp_required),
      'open branch that asks for no codes',
    );
    const menu = await get('getBranchMenu', `/public/branches/${branchId}/menu?channel=pickup`);
    // Drinks come first; some cakes are counted, and sell out.
    const items = menu.items
      .filter(({ kind, modifier_groups }) => kind === 'item' && !modifier_groups.some((g) => g.is_required))
      .map(({ id }) => id)
      .slice(0, 12);
    const { token } = await get('staffSignIn', '/staff/sign-in', signIn(OWNER));
    const wanted = posted({ branch_id: branchId, label: 'The attacked till' }, bearer(token));
    const { pairing_code } = await get('makePairingCode', '/staff/devices', wanted);
    const paired = await get('pairDevice', '/staff/devices/pair', posted({ pairing_code }));
    const someone = (...roles: readonly string[]): string =>
      found(
        paired.staff.find(({ role }) => roles.includes(role)),
        roles.join(' or '),
      ).id;
    return {
      branchId,
      items,
      device: { token: paired.device_token, own: someone('teller'), other: someone('owner', 'manager') },
    };
  } finally {
    client.close();
  }
};

/** The body of a quote of `lines` lines of one unit, which vary with `n`. */
export const cartOf = ({ items }: DemoFixture, n: number, lines: number): object => ({
  channel: 'pickup',
  items: Array.from({ length: lines }, (_, line) => ({
    menu_item_id: items[(n + line) % items.length],
    quantity: 1,
  })),
});

export const quotePath = ({ branchId }: DemoFixture): string => `/public/branches/${branchId}/cart-quote`;

/** A pickup order for this phone. */
export const orderOf = (demo: DemoFixture, n: number, phone: string): object => ({
  ...cartOf(demo, n, 2),
  ...{ branch_id: demo.branchId, customer_name: `Guest ${n}`, customer_phone: phone },
  payment_method_hint: 'cash',
});
