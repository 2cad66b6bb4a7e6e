import { byName } from '../../kernel/names.ts';
import { pinFault } from '../domain/secrets.ts';
import type { FactorKind } from '../domain/second-factor.ts';
import { branchesAllowed, emailForm } from '../domain/staff.ts';
import { isoInstant } from '../../kernel/time.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { rowsOfEveryShop, type rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import { keyUses, type KeyUse } from '../store/key-use.ts';
import { factorKindsOf } from '../store/second-factor.ts';
import { devicesOf, type ListedDevice } from '../store/devices.ts';
import { branchNames, staffOf, type StaffRow } from '../store/staff.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { resetFactors } from './second-factor.ts';
import { changeSecret, passwordFaultOf } from './secrets.ts';
import type { StaffDeps } from './access.ts';
import { endDevice, hasExpired } from './devices.ts';

/** The message is a sentence for the operator. */
export class StaffFault extends Error {
  override readonly name = 'StaffFault';
}

type Reading = Pick<StaffDeps, 'db' | 'clock'>;

export interface ShopStaff {
  readonly people: readonly (StaffRow & {
    /** Null: every branch. */
    readonly branches: readonly string[] | null;
    readonly factors: readonly FactorKind[];
  })[];
  readonly devices: readonly {
    readonly id: Uuid;
    readonly label: string;
    readonly branch: string;
    /** Null until paired. */
    readonly pairedAt: string | null;
    readonly hasExpired: boolean;
  }[];
}

/** By name; throws UnknownShop. */
export const listStaff = async (deps: Reading, slug: string): Promise<ShopStaff> => {
  const orgId = await orgBySlug(deps, slug);
  return deps.db.snapshot(async (tx) => {
    const names = await branchNames(tx, orgId);
    const people = (await staffOf(tx, orgId)).sort(byName);
    const now = deps.clock.now();
    const devices = await devicesOf(tx, orgId, now);
    const factors = await factorKindsOf(tx, orgId);
    return {
      people: people.map((person) => ({
        ...person,
        factors: factors.get(person.id) ?? [],
        branches: branchesAllowed(person)?.map((id) => names.get(id) ?? id) ?? null,
      })),
      devices: devices.map((device) => ({
        ...{ id: device.id, label: device.label, branch: device.branch },
        pairedAt: device.pairedAt === null ? null : isoInstant(device.pairedAt),
        hasExpired: hasExpired(device, now),
      })),
    };
  });
};

/** Throws StaffFault unless exactly one matches. */
const exactlyOne = <T extends { readonly id: Uuid }>(
  found: readonly T[],
  what: string,
  wanted: string,
): T => {
  const [one, ...others] = found;
  if (one === undefined) throw new StaffFault(`This shop has no ${what} ‘${wanted}’.`);
  if (others.length > 0)
    throw new StaffFault(
      `‘${wanted}’ could be more than one ${what}; say which by id: ${found.map(({ id }) => id).join(', ')}`,
    );
  return one;
};

const sameName = (a: string, b: string): boolean => a.normalize('NFC') === b.normalize('NFC');

/** By id, else by name. */
const matching = <T extends { readonly id: Uuid }>(
  entries: readonly T[],
  wanted: string,
  nameOf: (entry: T) => string,
): T[] => {
  const id = parseUuid(wanted);
  const byId = entries.filter((entry) => entry.id === id);
  return byId.length > 0 ? byId : entries.filter((entry) => sameName(nameOf(entry), wanted.trim()));
};

const withEmail = async ({ db }: Reading, orgId: Uuid, email: string): Promise<StaffRow> => {
  const people = await staffOf(db.kysely, orgId);
  return exactlyOne(
    people.filter((candidate) => candidate.email !== null && emailForm(candidate.email) === emailForm(email)),
    'member of staff with the e-mail address',
    email,
  );
};

/** Throws UnknownShop, StaffFault. */
export const setPassword = async (
  deps: StaffDeps,
  slug: string,
  email: string,
  text: string,
): Promise<StaffRow> => {
  const orgId = await orgBySlug(deps, slug);
  const person = await withEmail(deps, orgId, email);
  const fault = await passwordFaultOf(deps, orgId, person, text);
  if (fault !== null) throw new StaffFault(`A password ${fault.problem}.`);
  await changeSecret(deps, { orgId, staffId: person.id, by: null, knownDevice: null }, 'password', text);
  return person;
};

/** Throws UnknownShop, StaffFault. */
export const setPin = async (
  deps: StaffDeps,
  slug: string,
  nameOrId: string,
  text: string,
): Promise<StaffRow> => {
  const orgId = await orgBySlug(deps, slug);
  const people = await staffOf(deps.db.kysely, orgId);
  const person = exactlyOne(
    matching(people, nameOrId, ({ name }) => name),
    'member of staff',
    nameOrId,
  );
  const fault = pinFault(text);
  if (fault !== null) throw new StaffFault(`A PIN ${fault.problem}.`);
  await changeSecret(deps, { orgId, staffId: person.id, by: null, knownDevice: null }, 'pin', text);
  return person;
};

/** Ends a device, by label or id, and every session on it. Throws UnknownShop, StaffFault. */
export const revokeNamedDevice = async (
  deps: StaffDeps,
  slug: string,
  labelOrId: string,
): Promise<ListedDevice> => {
  const orgId = await orgBySlug(deps, slug);
  const devices = await devicesOf(deps.db.kysely, orgId, deps.clock.now());
  const device = exactlyOne(
    matching(devices, labelOrId, ({ label }) => label),
    'device',
    labelOrId,
  );
  await endDevice(deps, orgId, device.id, null);
  return device;
};

/** Removes every second factor of the person. Throws UnknownShop, StaffFault. */
export const resetFactor = async (
  deps: StaffDeps,
  slug: string,
  email: string,
): Promise<{ readonly name: string; readonly factors: number }> => {
  const orgId = await orgBySlug(deps, slug);
  const { id, name } = await withEmail(deps, orgId, email);
  return { name, factors: await resetFactors(deps, { orgId, staffId: id }) };
};

/**
 * The uses of each secret key, over all shops. `position`: of the key in SECRET_KEY, from 1; null: not in it. Who takes a key
 * away must know all uses; `rowsHeard` leaves out what is on a silent node.
 */
export const secretKeyUses = async (
  { db, keyring }: Pick<StaffDeps, 'db' | 'keyring'>,
  rowsOf: typeof rowsHeard = rowsOfEveryShop,
): Promise<readonly (KeyUse & { readonly position: number | null })[]> => {
  const uses = await keyUses(db.kysely, rowsOf);
  const unused = keyring.ids.filter((id) => uses.every(({ keyId }) => keyId !== id));
  const none = { passwords: 0, pins: 0, factors: 0, people: 0 };
  return [...uses, ...unused.map((keyId) => ({ keyId, ...none }))].map((use) => ({
    ...use,
    position:
      use.keyId !== null && keyring.ids.includes(use.keyId) ? keyring.ids.indexOf(use.keyId) + 1 : null,
  }));
};
