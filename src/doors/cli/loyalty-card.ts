import type { Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { makeCard } from '../../loyalty/app/card.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { StartError } from '../../serve/faults.ts';
import type { Print, WithApp } from './webhook.ts';

const sentenceOf = ({ faults }: Refusal): string =>
  faults.map(({ path, problem }) => `${path} ${problem}.`).join('\n');

export const cardCommands = (program: Command, withApp: WithApp<App>, print: Print): void => {
  program
    .command('card')
    .description('loyalty cards')
    .command('make')
    .description('make a card for the person with a phone, and print its member token')
    .argument('<slug>', "the shop's address name")
    .argument('<phone>', 'their mobile')
    .argument('<name>', 'what they are called')
    .action((slug: string, phone: string, name: string) =>
      withApp(async ({ app }) => {
        try {
          const card = await makeCard(app, await orgBySlug(app, slug), { phone, name });
          if (card === null) throw new StartError('This phone has a card already.');
          print(`${card.memberToken}\nWhoever holds this holds the card; it is shown this once.`);
        } catch (fault) {
          throw fault instanceof Refusal ? new StartError(sentenceOf(fault)) : fault;
        }
      }),
    );
};
