/** The audit log: every change of the staff side adds one entry with who, device, branch and action. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { staffEndpoints, type StaffOperationId } from '../../src/service/contract/endpoints.ts';
import { branchId, shopId, SLUG } from '../support/shops/cafe.ts';
import {
  aStaffedWorld,
  changed,
  elevate,
  pairedTill,
  personId,
  type SignedIn,
  signInAs,
  type Till,
} from '../support/people/staff.ts';
import type { Audited } from '../support/database/stored-rows.ts';
import { MONA, placed } from '../support/people/guests.ts';
import { CASES, type Asked } from '../support/operations/staff-requests.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let till: Till;
/** Signed in on the till, anew for each test, because one test signs out. */
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld();
  till = await pairedTill(world);
});
beforeEach(async () => {
  owner = await elevate(world, await till.signIn('owner'), 'owner');
});
afterAll(() => world.close());

type Reads =
  | 'listSessions'
  | 'listSecondFactors'
  | 'listDevices'
  | 'listOwnBranches'
  | 'getBranchSale'
  | 'listPinStaff'
  | 'pullChanges'
  | 'listReviews'
  | 'listOrders'
  | 'getOrder'
  | 'boardEvents'
  | 'makeStreamToken'
  | 'streamBoardEvents'
  | 'listStaffBookings'
  | 'getStaffBooking'
  | 'listAudit'
  | 'findLoyaltyMember'
  | 'listMemberEntries'
  | 'listTills'
  | 'getTillReport'
  | 'listSales'
  | 'getSale'
  | 'listTickets'
  | 'getTicket'
  | 'getTicketBill'
  | 'quoteCounterSale'
  | 'getReceipt'
  | 'getReceiptText'
  | 'getKitchen'
  | `report${string}`;

interface ExpectedEntry {
  readonly action: string;
  readonly subject: string;
  /** Null: concerns no branch. */
  readonly isOfBranch: boolean;
  /** Requested without a session; on the device, if there is one. */
  readonly by?: 'device' | 'nobody';
  /** A body that changes the state that the usual one leaves unchanged. */
  readonly body?: object;
  /** Preconditions. */
  readonly after?: () => Promise<unknown>;
  /** Whether a repeated request changes something again. */
  readonly isAlwaysNew?: boolean;
}

const factor = { subject: 'staff', isOfBranch: false } as const;
const booking = { subject: 'booking', isOfBranch: true } as const;
const block = { subject: 'booking_block', isOfBranch: true } as const;
const order = { subject: 'order', isOfBranch: true } as const;
const ofTicket = { subject: 'ticket', isOfBranch: true } as const;
const ofTill = { subject: 'till', isOfBranch: true } as const;

const EXPECTED: Readonly<Record<Exclude<StaffOperationId, Reads>, ExpectedEntry>> = {
  replayEvents: { action: 'ticket.replayed', subject: 'ticket', isOfBranch: true, by: 'device' },
  closeReview: { action: 'review.closed', subject: 'review', isOfBranch: true },
  staffSignIn: {
    ...{ action: 'staff.signed_in', subject: 'staff', isOfBranch: false, by: 'nobody', isAlwaysNew: true },
  },
  pinSignIn: {
    action: 'staff.signed_in',
    subject: 'staff',
    isOfBranch: true,
    by: 'device',
    isAlwaysNew: true,
  },
  reauthenticate: {
    ...{ action: 'staff.reauthenticated', subject: 'staff', isOfBranch: true, isAlwaysNew: true },
  },
  staffSignOut: { action: 'staff.signed_out', subject: 'staff', isOfBranch: true },
  changePassword: {
    ...{ action: 'staff.password_set', subject: 'staff', isOfBranch: false, isAlwaysNew: true },
  },
  changePin: { action: 'staff.pin_set', subject: 'staff', isOfBranch: false, isAlwaysNew: true },
  endOwnSession: { action: 'staff.session_ended', subject: 'staff', isOfBranch: false },
  endOtherSessions: {
    ...{ action: 'staff.session_ended', subject: 'staff', isOfBranch: false },
    after: async () => {
      await send({ address: '/staff/me/sessions/end-others' }, owner);
      await signInAs(world, 'owner');
    },
  },
  makePairingCode: { action: 'device.code_made', subject: 'device', isOfBranch: true, isAlwaysNew: true },
  pairDevice: { action: 'device.paired', subject: 'device', isOfBranch: true, by: 'nobody' },
  revokeDevice: { action: 'device.revoked', subject: 'device', isOfBranch: true },
  beginTotp: { action: 'staff.second_factor_begun', ...factor, isAlwaysNew: true },
  confirmTotp: { action: 'staff.second_factor_added', ...factor },
  beginPasskey: { action: 'staff.second_factor_begun', ...factor, isAlwaysNew: true },
  confirmPasskey: { action: 'staff.second_factor_added', ...factor },
  makeRecoveryCodes: { action: 'staff.second_factor_recovery_codes_made', ...factor, isAlwaysNew: true },
  removeSecondFactor: { action: 'staff.second_factor_removed', ...factor },
  moveOrder: { action: 'order.moved', ...order },
  cancelOrder: { action: 'order.cancelled', ...order },
  finalizeOrder: { action: 'order.delivered', ...order },
  reopenOrder: { action: 'order.reopened', ...order },
  setPrepTime: { action: 'order.prep_time_set', ...order },
  markPrinted: { action: 'order.printed', ...order },
  createStaffBooking: { action: 'booking.created', ...booking, isAlwaysNew: true },
  changeStaffBooking: { action: 'booking.changed', ...booking },
  seatBooking: { action: 'booking.seated', ...booking },
  moveBooking: { action: 'booking.moved', ...booking },
  completeBooking: { action: 'booking.completed', ...booking },
  markNoShow: { action: 'booking.no_show', ...booking },
  cancelStaffBooking: { action: 'booking.cancelled', ...booking },
  blockTimes: { action: 'booking_block.created', ...block, isAlwaysNew: true },
  liftBlock: { action: 'booking_block.lifted', ...block },
  joinLoyaltyMember: { action: 'card.made', subject: 'card', isOfBranch: true },
  adjustLoyaltyMember: { action: 'card.adjusted', subject: 'card', isOfBranch: false, isAlwaysNew: true },
  setOrderBrake: { action: 'order_brake.lifted', subject: 'person', isOfBranch: true },
  setChannelMode: {
    ...{ action: 'channel.forced_open', subject: 'channel', isOfBranch: true, body: { mode: 'open' } },
  },
  setStock: {
    ...{ action: 'item.stock_set', subject: 'item', isOfBranch: true, body: { stock: 7_000 } },
  },
  setAvailability: {
    ...{ action: 'item.available', subject: 'item', isOfBranch: true },
    after: async () =>
      send({ ...(await CASES.setAvailability.ask(world, SLUG)), body: { available: false } }, owner),
  },
  awardSale: { action: 'sale.awarded', subject: 'sale', isOfBranch: true },
  openTill: { action: 'till.opened', ...ofTill },
  moveCash: { action: 'till.cash', ...ofTill, isAlwaysNew: true },
  closeTill: { action: 'till.closed', ...ofTill },
  forceCloseTill: { action: 'till.force_closed', ...ofTill },
  sellOverCounter: { action: 'sale.counter', subject: 'sale', isOfBranch: true, isAlwaysNew: true },
  refundSale: { action: 'sale.refunded', subject: 'sale', isOfBranch: true },
  openTicket: { action: 'ticket.opened', ...ofTicket, isAlwaysNew: true },
  fireTicketRound: { action: 'ticket.round_fired', ...ofTicket, isAlwaysNew: true },
  changeTicket: { action: 'ticket.changed', ...ofTicket },
  voidTicketLine: { action: 'ticket.line_voided', ...ofTicket },
  splitTicket: { action: 'ticket.split', ...ofTicket },
  mergeTickets: { action: 'ticket.merged', ...ofTicket },
  payTicketPart: { action: 'ticket.paid_in_part', ...ofTicket },
  undoTicketPayment: { action: 'ticket.payment_undone', ...ofTicket },
  acceptTicketRound: { action: 'ticket.round_accepted', ...ofTicket },
  rejectTicketRound: { action: 'ticket.round_rejected', ...ofTicket },
  newTableCode: { action: 'table.new_code', subject: 'table', isOfBranch: true, isAlwaysNew: true },
  settleTicket: { action: 'ticket.settled', ...ofTicket },
  voidTicket: { action: 'ticket.voided', ...ofTicket },
  bumpKitchenTicket: { action: 'kitchen.bumped', subject: 'kitchen_ticket', isOfBranch: true },
  recallKitchenTicket: { action: 'kitchen.recalled', subject: 'kitchen_ticket', isOfBranch: true },
  mergeCustomers: { action: 'customer.combined', subject: 'customer', isOfBranch: false },
  exportPerson: { action: 'person.exported', subject: 'person', isOfBranch: false, isAlwaysNew: true },
  erasePerson: {
    ...{ action: 'person.erased', subject: 'person', isOfBranch: false, body: { phone: MONA.typed } },
    after: async () => {
      const { id } = await placed(world);
      await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
    },
  },
};

const entries = async (): Promise<(Audited & { id: string })[]> =>
  world.db.kysely
    .selectFrom('audit')
    .select(['id', 'action', 'subject', 'subject_id', 'staff_id', 'device_id', 'branch_id', 'detail'])
    .where('org_id', '=', shopId())
    .execute();

/** Entries since `before`. */
const since = async (before: readonly { readonly id: string }[]): Promise<Audited[]> => {
  const known = new Set(before.map(({ id }) => id));
  return (await entries()).filter(({ id }) => !known.has(id));
};

const send = ({ method = 'POST', address, body }: Asked, lines: object): Promise<Reply> => {
  const headers = { ...lines, ...(body && { 'content-type': 'application/json' }) };
  return world.send(method, address, headers, body && JSON.stringify(body));
};

/** Posted, because a cart is long, or for a token that only reads. */
const CHANGES_NOTHING: readonly string[] = ['quoteCounterSale', 'pullChanges', 'makeStreamToken'];

test('every staff operation that changes data has a case here', () => {
  const changing = Object.values(staffEndpoints)
    .filter(({ id, method }) => method !== 'GET' && !CHANGES_NOTHING.includes(id))
    .map(({ id }) => id);
  expect(Object.keys(EXPECTED).toSorted()).toEqual(changing.toSorted());
});

describe.each(Object.entries(EXPECTED))('%s', (id, expected) => {
  test('the operation adds one audit entry, and none when a repeat changes nothing', async () => {
    const { ask, undo } = CASES[id as keyof typeof EXPECTED];
    await expected.after?.();
    const usual = await ask(world, SLUG);
    const what = expected.body === undefined ? usual : { ...usual, body: expected.body };
    const lines = expected.by === 'device' ? till.device : expected.by === 'nobody' ? {} : owner;
    const before = await entries();
    expect((await send(what, lines)).status).toBeLessThan(300);
    const written = await since(before);
    const { action, subject, isOfBranch } = expected;
    expect(written).toMatchObject([{ action, subject, branch_id: isOfBranch ? branchId() : null }]);
    const [entry] = written;
    const [mine, unsigned] = [
      { staff_id: personId('owner'), device_id: till.id },
      {
        staff_id: id === 'staffSignIn' ? personId('owner') : null,
        device_id: id === 'pairDevice' ? entry?.subject_id : null,
      },
    ];
    const onDevice = { staff_id: personId('teller'), device_id: till.id };
    expect(entry).toMatchObject(
      expected.by === undefined ? mine : expected.by === 'device' ? onDevice : unsigned,
    );
    expect(JSON.stringify(entry?.detail)).not.toMatch(/stf_|till_|01\d{9}|201\d{9}/);
    const again = await entries();
    await send(what, lines);
    if (expected.isAlwaysNew !== true) expect(await since(again)).toEqual([]);
    await undo?.(world, SLUG);
  });
});
