import { Option, type Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { listParked, listPostponed, replayParked, type Unsent } from '../../messaging/app/parked-rows.ts';
import { OUTBOX_KINDS, type OutboxKind } from '../../messaging/domain/outbox.ts';
import { redactedUrl } from '../../messaging/domain/webhook.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { Print, WithApp } from './webhook.ts';

type Parts = Pick<App, 'db' | 'clock' | 'random'>;

const destinationOf = ({ target }: Unsent): string =>
  target === null ? '' : ` to ${redactedUrl(target.url)}`;

const triesOf = ({ attempts, triedAt, parkedAt }: Unsent): string => {
  const tries = `tried ${attempts} ${attempts === 1 ? 'time' : 'times'}`;
  if (triedAt !== null) return `${tries}, last at ${isoInstant(triedAt)}`;
  return parkedAt === null ? tries : `${tries}, parked at ${isoInstant(parkedAt)}`;
};

const described = (row: Unsent): string => {
  const { createdAt, kind, subject, subjectId, reason, parkedAt, nextAt } = row;
  const what = subject === 'shop' ? 'the shop' : `${subject} ${subjectId}`;
  const next = parkedAt === null ? `; next try at ${isoInstant(nextAt)}` : '';
  const line = `${isoInstant(createdAt)} ${kind} of ${what}${destinationOf(row)}, ${triesOf(row)}`;
  return `${line}: ${reason ?? 'no reason known'}${next}`;
};

const hints = (rows: readonly Unsent[], slug: string): readonly string[] => {
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
    .description('list what is parked or waits for another try, with the last try and why it failed')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      withApp(async ({ app }) => {
        const orgId = await orgBySlug(app, slug);
        const [parked, postponed] = [await listParked(app, orgId), await listPostponed(app, orgId)];
        print(
          [
            ...(parked.length === 0 ? ['Nothing is parked.'] : parked.map(described)),
            ...(postponed.length === 0 ? [] : ['', 'Waiting for another try:', ...postponed.map(described)]),
            ...(parked.length === 0 ? [] : ['', ...hints(parked, slug)]),
          ].join('\n'),
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
