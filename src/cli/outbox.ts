/** `ahwa outbox`: messages and events that could not be sent. */
import { Option, type Command } from 'commander';
import type { App } from '../app/app.ts';
import { orgNamed } from '../app/org-named.ts';
import { listParked, replayParked, type ParkedRow } from '../app/parked.ts';
import type { Print, WithApp } from './webhook.ts';

type Parts = Pick<App, 'db' | 'clock' | 'random'>;

const described = ({ createdAt, kind, subjectId, attempts, reason }: ParkedRow): string =>
  `${new Date(createdAt).toISOString()} ${kind} of order ${subjectId}, tried ${attempts} ${attempts === 1 ? 'time' : 'times'}: ${reason ?? 'no reason known'}`;

/** Adds the commands to `program`. */
export const outboxCommands = (program: Command, withApp: WithApp<Parts>, print: Print): void => {
  const outbox = program
    .command('outbox')
    .description('messages to guests and events for webhooks that could not be sent');

  outbox
    .command('list')
    .description('list what is parked, and why; it is forgotten after 30 days')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      withApp(async ({ app }) => {
        const rows = await listParked(app, await orgNamed(app, slug));
        print(rows.length === 0 ? 'Nothing is parked.' : rows.map(described).join('\n'));
      }),
    );

  outbox
    .command('replay')
    .description('send what is parked again')
    .argument('<slug>', "the shop's address name")
    .addOption(new Option('--kind <kind>', 'only messages, or only events').choices(['message', 'webhook']))
    .action((slug: string, { kind }: { kind?: 'message' | 'webhook' }) =>
      withApp(async ({ app }) => {
        const count = await replayParked(app, await orgNamed(app, slug), kind ?? null);
        print(`${count} of what was parked ${count === 1 ? 'goes' : 'go'} out again`);
      }),
    );
};
