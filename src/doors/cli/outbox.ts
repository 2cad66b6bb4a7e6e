import { Option, type Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { listParked, replayParked, type Parked } from '../../messaging/app/parked-rows.ts';
import { OUTBOX_KINDS, type OutboxKind } from '../../messaging/domain/outbox.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { redactedUrl } from '../../messaging/domain/webhook.ts';
import type { Print, WithApp } from './webhook.ts';

type Parts = Pick<App, 'db' | 'clock' | 'random'>;

const destinationOf = ({ target }: Parked): string =>
  target === null ? '' : ` to ${redactedUrl(target.url)}`;

const described = (row: Parked, orgId: Uuid): string => {
  const { createdAt, kind, subjectId, attempts, reason } = row;
  const tries = `tried ${attempts} ${attempts === 1 ? 'time' : 'times'}`;
  const moment = new Date(createdAt).toISOString();
  const isOfCard = kind === 'wallet_one' || kind === 'wallet_two';
  const subject = subjectId === orgId ? 'the shop' : `${isOfCard ? 'card' : 'order'} ${subjectId}`;
  return `${moment} ${kind} of ${subject}${destinationOf(row)}, ${tries}: ${reason ?? 'no reason known'}`;
};

const hints = (rows: readonly Parked[], slug: string): readonly string[] => {
  const off = rows.flatMap(({ target }) => (target === null || target.isActive ? [] : [target]));
  return [
    ...[...new Map(off.map(({ id, url }) => [id, url]))].map(
      ([id, url]) => `${redactedUrl(url)} is switched off; first: ahwa webhook on ${slug} ${id}`,
    ),
    `To send what is parked again: ahwa outbox replay ${slug}`,
  ];
};

export const outboxCommands = (program: Command, withApp: WithApp<Parts>, print: Print): void => {
  const outbox = program
    .command('outbox')
    .description('messages to guests, events for webhooks and updates of passes that could not be sent');

  outbox
    .command('list')
    .description('list what is parked, and why; it is forgotten after 30 days')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      withApp(async ({ app }) => {
        const orgId = await orgBySlug(app, slug);
        const rows = await listParked(app, orgId);
        print(
          rows.length === 0
            ? 'Nothing is parked.'
            : [...rows.map((row) => described(row, orgId)), '', ...hints(rows, slug)].join('\n'),
        );
      }),
    );

  outbox
    .command('replay')
    .description('send what is parked again')
    .argument('<slug>', "the shop's address name")
    .addOption(new Option('--kind <kind>', 'only rows of this kind').choices(OUTBOX_KINDS))
    .action((slug: string, { kind }: { kind?: OutboxKind }) =>
      withApp(async ({ app }) => {
        const count = await replayParked(app, await orgBySlug(app, slug), kind ?? null);
        print(`${count} of what was parked ${count === 1 ? 'goes' : 'go'} out again`);
      }),
    );
};
