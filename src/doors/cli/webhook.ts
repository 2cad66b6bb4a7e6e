import { InvalidArgumentError, type Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import {
  addWebhook,
  listWebhooks,
  removeWebhook,
  replayWebhooks,
  rotateWebhook,
  switchWebhook,
  testWebhooks,
  webhookSentence,
  type NewSecret,
  type WatchedTarget,
  type WebhookTrial,
  type WebhookToolParts,
} from '../../messaging/app/webhook.ts';
import { shownUrl } from '../../messaging/domain/webhook.ts';
import { isoInstant } from '../../kernel/time.ts';
import { parseInstant } from '../../config/values.ts';
import { StartError } from '../../serve/faults.ts';

type Parts = WebhookToolParts & Pick<App, 'sending'>;

export type WithApp<A> = (work: (runtime: { readonly app: A }) => Promise<void>) => Promise<void>;

export type Print = (text: string) => void;

const instantOf = (text: string): number => {
  const instant = parseInstant(text);
  if (instant === undefined)
    throw new InvalidArgumentError('It must be a moment with its zone, such as 2026-04-24T18:00:00Z.');
  return instant;
};

const described = ({ id, url, secret }: NewSecret): string =>
  `${id} ${url}\n${secret}\nThis is the only time that the secret is shown.`;

const NO_WEBHOOKS = 'This shop has no webhooks.';

const listed = ({ id, url, isActive, triedAt, triedReason, waiting, parked }: WatchedTarget): string => {
  const last = triedAt === null ? 'not tried yet' : `last try ${isoInstant(triedAt)}: ${triedReason ?? ''}`;
  const left = waiting + parked === 0 ? '' : `; ${waiting} waiting, ${parked} parked`;
  return `${id} ${shownUrl(url)}${isActive ? '' : ' (switched off)'}, ${last}${left}`;
};

const SENDING_OFF = 'Sending is off, so no test event leaves either: `ahwa sending` says why.';
const NONE_ON = 'This shop has no webhook that is switched on; `ahwa webhook list` shows all.';

const tested = ({ target, status, ms, isDelivered, reason }: WebhookTrial): string => {
  const address = `${target.id} ${shownUrl(target.url)}${target.isActive ? '' : ' (switched off)'}`;
  const result = `${isDelivered ? 'delivered' : 'not delivered'}: ${reason}`;
  return `${address}, status ${status ?? 'none'}, ${ms} ms, ${result}`;
};

const withSentences = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (fault) {
    const sentence = webhookSentence(fault);
    throw sentence === null ? fault : new StartError(sentence);
  }
};

const SWITCHING = {
  off: 'switch an address off: it hears of nothing more, and what has yet to go there is parked',
  on: 'switch an address on again, such as one that answered 410; `replay` sends what is parked',
} as const;

type AtShop = (slug: string, work: (app: Parts, orgId: string) => Promise<void>) => Promise<void>;

const testCommand = (webhook: Command, atShop: AtShop, print: Print): void => {
  webhook
    .command('test')
    .description('send a signed test event now, and show the answer; exits with 1 when it does not arrive')
    .argument('<slug>', "the shop's address name")
    .argument('[id]', 'the id that `list` shows; without it, every address that is switched on')
    .action((slug: string, id: string | undefined) =>
      atShop(slug, async (app, orgId) => {
        if ((await app.sending.silence()) !== null) throw new StartError(SENDING_OFF);
        const trials = await testWebhooks(app, orgId, id ?? null);
        if (trials.length === 0) throw new StartError(NONE_ON);
        print(trials.map(tested).join('\n'));
        const lost = trials.filter(({ isDelivered }) => !isDelivered);
        if (lost.length > 0) throw new StartError(`${lost.length} of ${trials.length} did not arrive.`);
      }),
    );
};

export const webhookCommands = (program: Command, withApp: WithApp<Parts>, print: Print): void => {
  const atShop: AtShop = (slug, work) =>
    withApp(async ({ app }) => withSentences(work(app, await orgBySlug(app, slug))));
  const webhook = program
    .command('webhook')
    .description("where a shop's own systems hear of its orders (docs/webhooks.md)");

  webhook
    .command('add')
    .description('add an address, and print the secret of its signatures')
    .argument('<slug>', "the shop's address name")
    .argument('<url>', 'an https address of the public internet, or one that WEBHOOK_ALLOW permits')
    .action((slug: string, url: string) =>
      atShop(slug, async (app, orgId) => print(described(await addWebhook(app, orgId, url)))),
    );

  webhook
    .command('list')
    .description('list the addresses of a shop, each with its last try and what has not arrived')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      atShop(slug, async (app, orgId) => {
        const targets = await listWebhooks(app, orgId);
        print(targets.length === 0 ? NO_WEBHOOKS : targets.map(listed).join('\n'));
      }),
    );

  testCommand(webhook, atShop, print);

  webhook
    .command('remove')
    .description('remove an address; what has yet to go there is dropped')
    .argument('<slug>', "the shop's address name")
    .argument('<id>', 'the id that `list` shows')
    .action((slug: string, id: string) =>
      atShop(slug, async (app, orgId) => {
        const { url } = await removeWebhook(app, orgId, id);
        print(`${shownUrl(url)} is removed`);
      }),
    );

  webhook
    .command('rotate')
    .description('give an address a new secret, and print it; the old one ends at once')
    .argument('<slug>', "the shop's address name")
    .argument('<id>', 'the id that `list` shows')
    .action((slug: string, id: string) =>
      atShop(slug, async (app, orgId) => print(described(await rotateWebhook(app, orgId, id)))),
    );

  for (const name of ['off', 'on'] as const)
    webhook
      .command(name)
      .description(SWITCHING[name])
      .argument('<slug>', "the shop's address name")
      .argument('<id>', 'the id that `list` shows')
      .action((slug: string, id: string) =>
        atShop(slug, async (app, orgId) => {
          const { url } = await switchWebhook(app, orgId, id, name === 'on');
          print(`${shownUrl(url)} is switched ${name}`);
        }),
      );

  webhook
    .command('replay')
    .description('send events again: those that could not be sent, or all since a moment')
    .argument('<slug>', "the shop's address name")
    .option('--since <moment>', 'also events that were sent, of what happened from then on', instantOf)
    .action((slug: string, { since }: { since?: number }) =>
      atShop(slug, async (app, orgId) => {
        const count = await replayWebhooks(app, orgId, since ?? null);
        print(`${count} ${count === 1 ? 'event goes' : 'events go'} out again`);
      }),
    );
};
