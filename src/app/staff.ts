/** What the operator of the service does for a shop's staff: see them, give passwords and PINs, end devices. */
import { byName } from '../domain/names.ts';
import { pinFault } from '../domain/secrets.ts';
import { branchesAllowed, emailForm } from '../domain/staff.ts';
import { isoInstant } from '../domain/time.ts';
import { parseUuid, type Uuid } from '../domain/ids.ts';
import { devicesOf, type ListedDevice } from '../store/staff-devices.ts';
import { branchNames, staffOf, type StaffRow } from '../store/staff.ts';
import { orgNamed } from './org-named.ts';
import { giveSecret, passwordFaultOf } from './secrets.ts';
import type { StaffDeps } from './staff-access.ts';
import { endDevice } from './staff-devices.ts';

/** What was asked for cannot be done; the message is a sentence for the operator. */
export class StaffFault extends Error {
  override readonly name = 'StaffFault';
}

type Reading = Pick<StaffDeps, 'db' | 'clock'>;

/** Who works in a shop, and on which devices, as an operator reads it. */
export interface ShopStaff {
  readonly people: readonly (StaffRow & {
    /** What their branches are called; null: every one. */
    readonly branches: readonly string[] | null;
  })[];
  readonly devices: readonly {
    readonly id: Uuid;
    readonly label: string;
    readonly branch: string;
    /** Null while its code waits to be typed in. */
    readonly pairedAt: string | null;
  }[];
}

/** By name; throws UnknownShop. */
export const listStaff = async (deps: Reading, slug: string): Promise<ShopStaff> => {
  const orgId = await orgNamed(deps, slug);
  return deps.db.snapshot(async (tx) => {
    const names = await branchNames(tx, orgId);
    const people = (await staffOf(tx, orgId)).sort(byName);
    const devices = await devicesOf(tx, orgId, deps.clock.now());
    return {
      people: people.map((person) => ({
        ...person,
        branches: branchesAllowed(person)?.map((id) => names.get(id) ?? id) ?? null,
      })),
      devices: devices.map(({ id, label, branch, pairedAt }) => ({
        id,
        label,
        branch,
        pairedAt: pairedAt === null ? null : isoInstant(pairedAt),
      })),
    };
  });
};

/** The one entry that fits; a sentence where there is none, or more than one. */
const theOne = <T extends { readonly id: Uuid }>(found: readonly T[], what: string, wanted: string): T => {
  const [one, ...others] = found;
  if (one === undefined) throw new StaffFault(`This shop has no ${what} ‘${wanted}’.`);
  if (others.length > 0)
    throw new StaffFault(
      `‘${wanted}’ could be more than one ${what}; say which by id: ${found.map(({ id }) => id).join(', ')}`,
    );
  return one;
};

const sameName = (a: string, b: string): boolean => a.normalize('NFC') === b.normalize('NFC');

/** By id, else by what people call it. */
const picked = <T extends { readonly id: Uuid }>(
  entries: readonly T[],
  wanted: string,
  nameOf: (entry: T) => string,
): T[] => {
  const id = parseUuid(wanted);
  const byId = entries.filter((entry) => entry.id === id);
  return byId.length > 0 ? byId : entries.filter((entry) => sameName(nameOf(entry), wanted.trim()));
};

/** Gives whoever has an e-mail address a password. Throws UnknownShop, StaffFault. */
export const setPassword = async (
  deps: StaffDeps,
  slug: string,
  email: string,
  text: string,
): Promise<StaffRow> => {
  const orgId = await orgNamed(deps, slug);
  const people = await staffOf(deps.db.kysely, orgId);
  const person = theOne(
    people.filter((candidate) => candidate.email !== null && emailForm(candidate.email) === emailForm(email)),
    'member of staff with the e-mail address',
    email,
  );
  const fault = await passwordFaultOf(deps, orgId, person, text);
  if (fault !== null) throw new StaffFault(`A password ${fault.problem}.`);
  await giveSecret(deps, { orgId, staffId: person.id, by: null }, 'password', text);
  return person;
};

/** Gives someone, by name or id, a PIN. Throws UnknownShop, StaffFault. */
export const setPin = async (
  deps: StaffDeps,
  slug: string,
  nameOrId: string,
  text: string,
): Promise<StaffRow> => {
  const orgId = await orgNamed(deps, slug);
  const people = await staffOf(deps.db.kysely, orgId);
  const person = theOne(
    picked(people, nameOrId, ({ name }) => name),
    'member of staff',
    nameOrId,
  );
  const fault = pinFault(text);
  if (fault !== null) throw new StaffFault(`A PIN ${fault.problem}.`);
  await giveSecret(deps, { orgId, staffId: person.id, by: null }, 'pin', text);
  return person;
};

/** Ends a device, by label or id, and every sign-in on it. Throws UnknownShop, StaffFault. */
export const revokeNamedDevice = async (
  deps: StaffDeps,
  slug: string,
  labelOrId: string,
): Promise<ListedDevice> => {
  const orgId = await orgNamed(deps, slug);
  const devices = await devicesOf(deps.db.kysely, orgId, deps.clock.now());
  const device = theOne(
    picked(devices, labelOrId, ({ label }) => label),
    'device',
    labelOrId,
  );
  await endDevice(deps, orgId, device.id, null);
  return device;
};
