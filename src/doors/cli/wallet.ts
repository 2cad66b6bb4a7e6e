import type { Command } from 'commander';
import { StartError } from '../../serve/faults.ts';
import type { Print } from './webhook.ts';

export interface WalletFinding {
  readonly isFault: boolean;
  readonly sentence: string;
}

/** By wallet; null: it is off. */
export type WalletFindings = Readonly<Record<string, readonly WalletFinding[] | null>>;

const OFF = 'It is off: none of its settings is set (docs/operations.md, Wallets).';

const linesOf = ([wallet, findings]: [string, WalletFindings[string]]): readonly string[] => [
  `${wallet}:`,
  ...(findings === null
    ? [`  ${OFF}`]
    : findings.map(({ isFault, sentence }) => `  ${isFault ? '✗' : '✓'} ${sentence}`)),
];

/** Needs no database. */
export const walletCommands = (
  program: Command,
  check: () => Promise<WalletFindings>,
  print: Print,
): void => {
  program
    .command('wallet')
    .description('passes of loyalty cards in Apple Wallet and Google Wallet')
    .command('check')
    .description('try certificates, keys, servers and a test pass; a fault says what to do')
    .action(async () => {
      const findings = await check();
      print(Object.entries(findings).flatMap(linesOf).join('\n'));
      const faults = Object.values(findings).flatMap((all) => (all ?? []).filter(({ isFault }) => isFault));
      if (faults.length > 0)
        throw new StartError(
          `${faults.length} of these ${faults.length === 1 ? 'is' : 'are'} to be corrected.`,
        );
    });
};
