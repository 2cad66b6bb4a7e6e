import type { Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { switchSendingOff, switchSendingOn } from '../../messaging/app/sending.ts';
import type { Silence, SilenceReason } from '../../platform/domain/sending.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { Print, WithApp } from './webhook.ts';

type Parts = Pick<App, 'db' | 'clock' | 'sending'>;

const WHY: Readonly<Record<SilenceReason, string>> = {
  setting: 'SENDING=off says so',
  restored: 'this database was restored from a backup, and nobody has said otherwise yet',
  command: '`ahwa sending off` said so',
};

const described = (silence: Silence | null): string => {
  if (silence === null) return 'Sending is on.';
  const since = silence.since === null ? '' : ` since ${isoInstant(silence.since)}`;
  return `Sending is off${since}: ${WHY[silence.reason]}.`;
};

export const sendingCommands = (program: Command, withApp: WithApp<Parts>, print: Print): void => {
  const sending = program
    .command('sending')
    .description('whether messages, codes and events leave, and whether orders and pauses are swept')
    .action(() => withApp(async ({ app }) => print(described(await app.sending.silence()))));

  sending
    .command('on')
    .description('send again; what has waited for 15 minutes, or came with a restore, is parked instead')
    .action(() =>
      withApp(async ({ app }) => {
        const { was, parked } = await switchSendingOn(app);
        const kept = `${parked} of what waited ${parked === 1 ? 'is' : 'are'} parked: ahwa outbox list <slug>`;
        print(was === null ? 'Sending is on, as it was.' : `Sending is on. ${kept}`);
      }),
    );

  sending
    .command('off')
    .description('send nothing, and sweep nothing, in every process on this database, until it is on again')
    .action(() =>
      withApp(async ({ app }) => {
        await switchSendingOff(app);
        print(described(await app.sending.silence()));
      }),
    );
};
