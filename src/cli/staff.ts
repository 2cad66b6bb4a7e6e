/** `ahwa staff`: who works in a shop, what they sign in with, and on which devices. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { StaffDeps } from '../app/staff-access.ts';
import {
  listStaff,
  revokeNamedDevice,
  setPassword,
  setPin,
  StaffFault,
  type ShopStaff,
} from '../app/staff.ts';
import { StartError } from '../serve.ts';
import type { Print, WithApp } from './webhook.ts';

/** Gets a secret from whoever gives the command; never from its arguments, which others can read. */
type AskSecret = (what: 'password' | 'PIN') => Promise<string>;

type Person = ShopStaff['people'][number];
type Device = ShopStaff['devices'][number];

const secretsOf = ({ hasPassword, hasPin }: Person): string => {
  const secrets = [...(hasPassword ? ['password'] : []), ...(hasPin ? ['PIN'] : [])];
  return secrets.length === 0 ? 'cannot sign in yet' : `signs in with ${secrets.join(' and ')}`;
};

const personLine = (person: Person): string =>
  [
    `  ${person.id}  ${person.role}: ${person.name}`,
    ...(person.email === null ? [] : [person.email]),
    person.branches?.join(', ') ?? 'every branch',
    person.isActive ? secretsOf(person) : 'switched off',
  ].join('; ');

const deviceLine = ({ id, label, branch, pairedAt }: Device): string =>
  `  ${id}  ${label}; ${branch}; ${pairedAt === null ? 'waits to be paired' : `paired ${pairedAt}`}`;

const described = ({ people, devices }: ShopStaff): string =>
  [
    people.length === 0 ? 'Nobody works here yet; list staff in the shop file.' : 'Staff:',
    ...people.map(personLine),
    ...(devices.length === 0 ? [] : ['Devices:']),
    ...devices.map(deviceLine),
  ].join('\n');

/** Takes keystrokes without showing them. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const typedSecret = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stderr.write(question);
    const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true });
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

/** From a person at the terminal, who types it twice and unseen, else the first line of standard input. */
const secretAtHand: AskSecret = async (what) => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
  const typed = await typedSecret(`New ${what}: `);
  if ((await typedSecret(`The same again: `)) !== typed)
    throw new StartError('The two are not the same; nothing was changed.');
  return typed;
};

const SLUG = ['<slug>', "the shop's address name"] as const;

const inSentences = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (fault) {
    throw fault instanceof StaffFault ? new StartError(fault.message) : fault;
  }
};

/** Adds the commands to `program`. */
export const staffCommands = (
  program: Command,
  withApp: WithApp<StaffDeps>,
  print: Print,
  askSecret: AskSecret = secretAtHand,
): void => {
  const staff = program.command('staff').description('the staff of a shop, and the devices they sign in on');
  const run = (work: (app: StaffDeps) => Promise<string>): Promise<void> =>
    withApp(async ({ app }) => print(await inSentences(work(app))));

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
