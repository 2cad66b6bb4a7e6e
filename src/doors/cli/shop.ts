import type { Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import {
  closeShop,
  namedShop,
  openShop,
  shopToRemove,
  type NamedShop,
  type Opened,
} from '../../shopfile/app/move-shop.ts';
import { RenameFault, renameShop, type Renaming } from '../../shopfile/app/rename-shop.ts';
import { shopChange } from '../../shopfile/app/plan.ts';
import { removeShop, type Totals } from '../../platform/store/backup.ts';
import type { ConnectionOptions } from '../../platform/store/db.ts';
import { demandOneDatabase } from '../../platform/store/one-database.ts';
import { StartError } from '../../serve/faults.ts';
import { counted, withProgress } from './progress.ts';
import type { Print } from './webhook.ts';

export const closedSentence = ({ slug }: NamedShop): string =>
  `${slug} is closed: it takes no orders. \`ahwa shop open ${slug}\` opens it again.`;

const described = ({ orgId, from, to }: Renaming): string =>
  from === to
    ? `The shop has the address name ${to} already; nothing was changed.`
    : [
        `${from} is ${to} now; addresses with ${from} lead there.`,
        `Write \`"slug": "${to}"\` and \`"id": "${orgId}"\` into the shop file: with ${from} an import renames it back.`,
      ].join('\n');

const opened = ({ slug }: NamedShop, { was, parked }: Opened): string =>
  was === null
    ? `${slug} is open already; nothing was changed.`
    : [
        `${slug} is open. ${parked} of what waited ${parked === 1 ? 'is' : 'are'} parked: ahwa outbox list ${slug}`,
        'Make sure that it is open nowhere else: both would take orders.',
      ].join('\n');

const removed = ({ slug }: NamedShop, { tables, rows }: Totals): string =>
  `${slug} is removed: ${counted(rows, 'row')} of ${counted(tables, 'table')}. Backups and the write-ahead log of PostgreSQL keep them for as long as you keep those.`;

/** Runs with the owner's connection to the database. */
type WithOwner = (
  work: (runtime: {
    readonly app: App;
    readonly owner: ConnectionOptions;
    readonly connection: ConnectionOptions;
  }) => Promise<void>,
) => Promise<void>;

export const shopCommands = (program: Command, withOwner: WithOwner, print: Print): void => {
  const shop = program.command('shop').description('a shop as a whole');

  shop
    .command('rename')
    .description('give a shop another address name; addresses with the old one lead to the new one')
    .argument('<slug>', "the shop's address name")
    .argument('<new-slug>', 'the new one: 2 to 63 of a-z, 0-9 and hyphens')
    .action((slug: string, newSlug: string) =>
      withOwner(async ({ app }) => {
        try {
          print(described(await renameShop(app, slug, newSlug)));
        } catch (fault) {
          throw fault instanceof RenameFault ? new StartError(fault.message) : fault;
        }
      }),
    );

  shop
    .command('close')
    .description('let a shop take no orders, such as one that has moved and is back after a restore')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      withOwner(async ({ app }) => {
        const named = await namedShop(app, slug);
        await closeShop(app, named);
        print(closedSentence(named));
      }),
    );

  shop
    .command('open')
    .description('let a shop that has moved here, or does not move after all, take orders')
    .argument('<slug>', "the shop's address name")
    .action((slug: string) =>
      withOwner(async ({ app }) => {
        const named = await namedShop(app, slug);
        print(opened(named, await openShop(app, named)));
      }),
    );

  shop
    .command('remove')
    .description('delete a closed shop, with its orders, cards, bookings and staff, once it has moved away')
    .argument('<shop>', 'its address name or id')
    .action((name: string) =>
      withOwner(async ({ app, owner, connection: serving }) => {
        await demandOneDatabase({ owner, serving });
        const named = await shopToRemove(app, name);
        const totals = await withProgress('removing', (onProgress) =>
          removeShop({
            ...{ connection: owner, shop: named, change: shopChange(named.orgId), onProgress },
            now: app.clock.now(),
          }),
        );
        print(removed(named, totals));
      }),
    );
};
