import { describe, expect, test } from 'vitest';
import {
  elevatedUntil,
  isRole,
  needsPassword,
  PERMISSIONS,
  permissionsInForce,
  permissionsOf,
  ROLES,
} from '../../kernel/permission.ts';
import {
  branchesAllowed,
  emailForm,
  isEmailLike,
  mayAtBranch,
  pairingCodeIn,
  PAIRING_ALPHABET,
  passwordIn,
  pinIn,
} from './staff.ts';

const [ZAMALEK, MAADI] = ['00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000012'];

describe('a role', () => {
  test('is one of five names', () => {
    expect(ROLES).toEqual(['owner', 'manager', 'teller', 'waiter', 'kitchen']);
    expect([...ROLES, 'Owner', 'cook', '', 'toString'].map(isRole)).toEqual([
      ...ROLES.map(() => true),
      false,
      false,
      false,
      false,
    ]);
  });

  test('the role owner has every permission', () => {
    expect(permissionsOf('owner')).toEqual(PERMISSIONS);
  });

  test('the role manager has every permission except export and erasure of people', () => {
    expect(PERMISSIONS.filter((permission) => !permissionsOf('manager').includes(permission))).toEqual([
      'people.export',
      'people.erase',
    ]);
  });

  test.each([
    [
      'teller',
      [
        'orders.reopen',
        'orders.lift_brake',
        'loyalty.adjust',
        'tills.read_expected',
        'tills.manage',
        'tickets.discount',
        'tables.manage',
        'reports.read',
        'devices.pair',
        'audit.read',
        'customers.merge',
        'people.export',
        'people.erase',
      ],
    ],
    [
      'waiter',
      [
        'orders.prep_time',
        'orders.cancel',
        'orders.finalize',
        'orders.reopen',
        'orders.staff_drink.record',
        'orders.lift_brake',
        'bookings.cancel',
        'bookings.block',
        'loyalty.adjust',
        'channels.pause',
        'items.snooze',
        'loyalty.award',
        'sales.read',
        'sales.sell',
        'sales.refund',
        'tills.read',
        'tills.use',
        'tills.read_expected',
        'tills.manage',
        'tickets.void',
        'tickets.discount',
        'tickets.settle',
        'tables.manage',
        'kitchen.bump',
        'reports.read',
        'devices.pair',
        'audit.read',
        'customers.merge',
        'people.export',
        'people.erase',
      ],
    ],
    [
      'kitchen',
      [
        'orders.cancel',
        'orders.finalize',
        'orders.reopen',
        'orders.staff_drink.record',
        'orders.lift_brake',
        'bookings.read',
        'bookings.manage',
        'bookings.cancel',
        'bookings.block',
        'loyalty.read',
        'loyalty.join',
        'loyalty.adjust',
        'channels.pause',
        'loyalty.award',
        'sales.read',
        'sales.sell',
        'sales.refund',
        'tills.read',
        'tills.use',
        'tills.read_expected',
        'tills.manage',
        'tickets.read',
        'tickets.use',
        'tickets.void',
        'tickets.discount',
        'tickets.settle',
        'tables.manage',
        'reports.read',
        'devices.pair',
        'audit.read',
        'customers.merge',
        'people.export',
        'people.erase',
      ],
    ],
  ] as const)('the role %s lacks: %s', (role, denied) => {
    expect(PERMISSIONS.filter((permission) => !permissionsOf(role).includes(permission))).toEqual(denied);
  });

  test.each(ROLES)('the role %s may read and move orders, and has no permission twice', (role) => {
    const permissions = permissionsOf(role);
    expect(permissions).toEqual(expect.arrayContaining(['orders.read', 'orders.move', 'events.read']));
    expect(new Set(permissions).size).toBe(permissions.length);
  });
});

describe('a permission', () => {
  test('permissions for people and devices, and those of owners only, require the password', () => {
    const guarded = PERMISSIONS.filter(needsPassword);
    expect(guarded).toEqual(['devices.pair', 'people.export', 'people.erase']);
    for (const permission of PERMISSIONS)
      if (ROLES.every((role) => role === 'owner' || !permissionsOf(role).includes(permission)))
        expect(needsPassword(permission), permission).toBe(true);
  });

  test('a permission that requires the password is in force for ten minutes', () => {
    const noon = Date.parse('2026-12-04T10:00:00Z');
    const minutes = (count: number): number => noon + count * 60_000;
    expect(elevatedUntil(null, noon)).toBeNull();
    expect([0, 5, 10].map((after) => elevatedUntil(noon, minutes(after)))).toEqual([
      minutes(10),
      minutes(10),
      null,
    ]);
    for (const role of ROLES) {
      expect(permissionsInForce(role, true)).toEqual(permissionsOf(role));
      expect(permissionsInForce(role, false).some(needsPassword)).toBe(false);
      const remaining = permissionsOf(role).filter((permission) => !needsPassword(permission));
      expect(permissionsInForce(role, false)).toEqual(remaining);
    }
  });
});

describe('access to branches', () => {
  test('a person of one branch may act only at that branch', () => {
    const waiter = { role: 'waiter', branchIds: [ZAMALEK] } as const;
    expect(mayAtBranch(waiter, ZAMALEK)).toBe(true);
    expect(mayAtBranch(waiter, MAADI)).toBe(false);
    expect(branchesAllowed(waiter)).toEqual([ZAMALEK]);
  });

  test('a person without listed branches may act at every branch', () => {
    const manager = { role: 'manager', branchIds: null } as const;
    expect(mayAtBranch(manager, MAADI)).toBe(true);
    expect(branchesAllowed(manager)).toBeNull();
  });

  test('an owner may act at every branch, whatever branches are listed', () => {
    const owner = { role: 'owner', branchIds: [ZAMALEK] } as const;
    expect(mayAtBranch(owner, MAADI)).toBe(true);
    expect(branchesAllowed(owner)).toBeNull();
  });
});

describe('typed sign-in data', () => {
  test('an e-mail address ignores letter case and surrounding spaces', () => {
    expect(emailForm('  Owner@Layaly.Example ')).toBe('owner@layaly.example');
  });

  test('an e-mail address has text on both sides of one @, and no space', () => {
    expect(['a@b', ' Owner@Layaly.Example ', 'منى@layaly.example'].map(isEmailLike)).toEqual(
      Array(3).fill(true),
    );
    expect(['', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a'].map(isEmailLike)).toEqual(Array(7).fill(false));
  });

  test('a password has 8 to 128 characters, not counted in UTF-16 units', () => {
    expect(passwordIn('seven77')).toBeNull();
    expect(passwordIn('eight888')).toBe('eight888');
    expect(passwordIn('👩‍🍳'.repeat(2))).toBeNull();
    expect(passwordIn('☕'.repeat(8))).toBe('☕'.repeat(8));
    expect(passwordIn('☕'.repeat(128))).not.toBeNull();
    expect(passwordIn('☕'.repeat(129))).toBeNull();
  });

  test('composed and decomposed letters of a password are equal', () => {
    expect(passwordIn('cafe\u0301-ahwa')).toBe(passwordIn('caf\u00e9-ahwa'));
  });

  test('a PIN has 4 to 8 digits, also Arabic and Persian ones', () => {
    expect(['2468', '٢٤٦٨', '۲۴۶۸', ' 2468 ', '12345678'].map(pinIn)).toEqual([
      '2468',
      '2468',
      '2468',
      '2468',
      '12345678',
    ]);
    expect(['246', '123456789', '24a8', '', '24 68', '２４６８'].map(pinIn)).toEqual(Array(6).fill(null));
  });

  test('a pairing code is read in lower case and in groups', () => {
    expect(pairingCodeIn('ack4 9xyw')).toBe('ACK49XYW');
    expect(pairingCodeIn('ACK4-9XYW')).toBe('ACK49XYW');
    expect(pairingCodeIn('ack٤٩xyw')).toBe('ACK49XYW');
    expect(['', 'ACK49XY', 'ACK49XYWA', 'ACK49XY0', 'ACK49XYé'].map(pairingCodeIn)).toEqual(
      Array(5).fill(null),
    );
  });

  test('a pairing code has no look-alike letters', () => {
    expect(new Set(PAIRING_ALPHABET).size).toBe(PAIRING_ALPHABET.length);
    expect(PAIRING_ALPHABET).not.toMatch(/[01258BILOSUVZ]/);
  });
});
