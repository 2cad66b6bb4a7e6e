import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { StaffDeps } from '../../staff/app/access.ts';
import {
  listStaff,
  resetFactor,
  revokeNamedDevice,
  secretKeyUses,
  setPassword,
  setPin,
  StaffFault,
  type ShopStaff,
} from '../../staff/app/staff.ts';
import { StartError } from '../../serve/faults.ts';
import type { Print, WithApp } from './webhook.ts';

/** Never from the arguments, which other users can see. */
type AskSecret = (kind: 'password' | 'PIN') => Promise<string>;

type Person = ShopStaff['people'][number];
type Device = ShopStaff['devices'][number];

const secretsOf = ({ hasPassword, hasPin }: Person): string => {
  const secrets = [...(hasPassword ? ['password'] : []), ...(hasPin ? ['PIN'] : [])];
  return secrets.length === 0 ? 'cannot sign in yet' : `signs in with ${secrets.join(' and ')}`;
};

const FACTOR_WORDS = { totp: 'an authenticator app', passkey: 'a passkey' } as const;

const factorsIn = ({ factors }: Person): string[] =>
  factors.length === 0 ? [] : [`second factor: ${factors.map((kind) => FACTOR_WORDS[kind]).join(' or ')}`];

const personLine = (person: Person): string =>
  [
    `  ${person.id}  ${person.role}: ${person.name}`,
    ...(person.email === null ? [] : [person.email]),
    person.branches?.join(', ') ?? 'every branch',
    person.isActive ? secretsOf(person) : 'switched off',
    ...factorsIn(person),
  ].join('; ');

const deviceLine = ({ id, label, branch, pairedAt, hasExpired }: Device): string => {
  const state = pairedAt === null ? 'waits to be paired' : `paired ${pairedAt}`;
  return `  ${id}  ${label}; ${branch}; ${state}${hasExpired ? '; ended, since nobody used it for 90 days' : ''}`;
};

const described = ({ people, devices }: ShopStaff): string =>
  [
    people.length === 0 ? 'Nobody works here yet; list staff in the shop file.' : 'Staff:',
    ...people.map(personLine),
    ...(devices.length === 0 ? [] : ['Devices:']),
    ...devices.map(deviceLine),
  ].join('\n');

type KeyUses = Awaited<ReturnType<typeof secretKeyUses>>;

const keyName = ({ keyId, position }: KeyUses[number]): string => {
  if (keyId === null) return 'under no key yet, from before keys were used';
  if (position === null)
    return `${keyId}, which SECRET_KEY does not have: of no use, and nobody signs in by it`;
  return `${keyId}, key ${position} of SECRET_KEY${position === 1 ? ', used for what is new' : ''}`;
};

const keysDescribed = (uses: KeyUses): string =>
  uses
    .map((use) => {
      const { people, passwords, pins, factors } = use;
      return `${keyName(use)}: ${people} people (${passwords} passwords, ${pins} PINs, ${factors} authenticator apps)`;
    })
    .join('\n');

/** Hides keystrokes. */
const silentOutput = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const typedSecret = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stderr.write(question);
    const lines = createInterface({ input: process.stdin, output: silentOutput(), terminal: true });
    let line: string | null = null;
    lines.once('line', (typed) => {
      line = typed;
      lines.close();
    });
    lines.once('close', () => {
      process.stderr.write('\n');
      if (line === null) reject(new StartError('Nothing was typed, and nothing was changed.'));
      else resolve(line);
    });
  });

/** Typed twice at a terminal, without echo; else the first line of standard input. */
const readSecret: AskSecret = async (kind) => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
  const typed = await typedSecret(`New ${kind}: `);
  if ((await typedSecret(`The same again: `)) !== typed)
    throw new StartError('The two are not the same; nothing was changed.');
  return typed;
};

const SLUG = ['<slug>', "the shop's address name"] as const;

const withSentences = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (fault) {
    throw fault instanceof StaffFault ? new StartError(fault.message) : fault;
  }
};

export const staffCommands = (
  program: Command,
  withApp: WithApp<StaffDeps>,
  print: Print,
  askSecret: AskSecret = readSecret,
): void => {
  const staff = program.command('staff').description('the staff of a shop, and the devices they sign in on');
  const run = (work: (app: StaffDeps) => Promise<string>): Promise<void> =>
    withApp(async ({ app }) => print(await withSentences(work(app))));

  staff
    .command('list')
    .description('who works in a shop, and on which devices')
    .argument(...SLUG)
    .action((slug: string) => run(async (app) => described(await listStaff(app, slug))));

  staff
    .command('password')
    .description('give whoever has an e-mail address a password, typed in or from standard input')
    .argument(...SLUG)
    .argument('<email>', 'whose')
    .action(async (slug: string, email: string) => {
      const password = await askSecret('password');
      await run(async (app) => {
        const { name } = await setPassword(app, slug, email, password);
        return `${name} has a new password; earlier sign-ins of theirs have ended.`;
      });
    });

  staff
    .command('pin')
    .description('give someone a PIN for the devices of their branches, typed in or from standard input')
    .argument(...SLUG)
    .argument('<name-or-id>', 'whose')
    .action(async (slug: string, nameOrId: string) => {
      const pin = await askSecret('PIN');
      await run(async (app) => {
        const { name } = await setPin(app, slug, nameOrId, pin);
        return `${name} has a new PIN; earlier sign-ins of theirs have ended.`;
      });
    });

  staff
    .command('reset-factor')
    .description('take every second factor from someone who is locked out')
    .argument(...SLUG)
    .argument('<email>', 'whose')
    .action((slug: string, email: string) =>
      run(async (app) => {
        const { name, factors } = await resetFactor(app, slug, email);
        return factors === 0
          ? `${name} has no second factor; nothing was changed.`
          : `${name} signs in with the password alone until they add a second factor again.`;
      }),
    );

  staff
    .command('keys')
    .description(
      'what is stored under which secret key, at all shops; before a key is taken out of SECRET_KEY',
    )
    .action(() => run(async (app) => keysDescribed(await secretKeyUses(app))));

  staff
    .command('revoke-device')
    .description('end a device that was lost or handed on, and every sign-in on it')
    .argument(...SLUG)
    .argument('<label-or-id>', 'which')
    .action((slug: string, labelOrId: string) =>
      run(async (app) => {
        const { label, branch } = await revokeNamedDevice(app, slug, labelOrId);
        return `${label} (${branch}) is a device of the shop no more.`;
      }),
    );
};
