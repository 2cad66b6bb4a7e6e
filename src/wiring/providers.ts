/** The services outside that the settings name: senders, routing, wallets. */
import type { Logger } from '../adapters/log.ts';
import { noRoadDistance, osrmRoadDistance } from '../adapters/osrm.ts';
import { createPictureRenderer } from '../adapters/picture-renderer.ts';
import { consoleSender } from '../adapters/senders/console.ts';
import { fileSender } from '../adapters/senders/file.ts';
import { noSender } from '../adapters/senders/none.ts';
import { providersSender, type ProviderParts } from '../adapters/senders/providers.ts';
import { systemClock } from '../adapters/system.ts';
import { addressFinding, checkWalletOne, checkWalletTwo } from '../adapters/wallets/check.ts';
import { createWalletOne } from '../adapters/wallets/wallet-one.ts';
import { createWalletTwo } from '../adapters/wallets/wallet-two.ts';
import type { Config } from '../config.ts';
import type { CodeCounts } from '../identity/app/code-counts.ts';
import type { Clock, Messenger, RoadDistance, WalletOne, WalletTwo } from '../ports.ts';

const monotonic = (): number => performance.now();

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const noteCarried =
  (log: Logger, codeCounts: CodeCounts): ProviderParts['onSent'] =>
  (carrier, refusals) => {
    codeCounts.addCarried(carrier);
    const { sender, place } = carrier;
    if (place === 'next') log.info({ sender, refusals }, 'a one-time code was taken by the next sender');
  };

/** (Decisions 10) */
export const messengerOf = (
  { sender }: Config,
  clock: Clock,
  log: Logger,
  codeCounts: CodeCounts,
): Messenger => {
  switch (sender.kind) {
    case 'console':
      return consoleSender(print);
    case 'file':
      return fileSender({ path: sender.path, clock });
    case 'whatsapp':
      return providersSender(sender, {
        monotonic,
        onSent: noteCarried(log, codeCounts),
        onFailing: (provider, reason) =>
          log.warn({ provider, reason }, 'a provider does not answer; it takes no one-time code for now'),
      });
    case 'none':
      return noSender;
  }
};

export const roadsOf = ({ osrmUrl }: Config, log: Logger): RoadDistance =>
  osrmUrl === null
    ? noRoadDistance
    : osrmRoadDistance({
        url: osrmUrl,
        profile: 'driving',
        monotonic,
        onFailing: (reason) =>
          log.warn({ reason }, 'the routing server does not answer; straight-line distances are used'),
      });

/** Null: not configured. */
export const walletOneOf = ({ walletOne }: Config): WalletOne | null =>
  walletOne === null ? null : createWalletOne(walletOne);

/** For commands: by wallet; null where it is off. */
export const checkWallets = async ({ walletOne, walletTwo, baseUrl }: Config) => {
  const clock = systemClock(0);
  const { origin } = new URL(baseUrl);
  const address = addressFinding(baseUrl);
  const one = walletOne && (await checkWalletOne(walletOne, createPictureRenderer(), clock));
  const two = walletTwo && (await checkWalletTwo({ ...walletTwo, clock, origin }));
  return { 'Apple Wallet': one && [address, ...one], 'Google Wallet': two && [address, ...two] };
};

/** Null: not configured. */
export const walletTwoOf = ({ walletTwo, baseUrl }: Config, clock: Clock): WalletTwo | null =>
  walletTwo === null ? null : createWalletTwo({ ...walletTwo, clock, origin: new URL(baseUrl).origin });
