import { singleLine } from '../../kernel/free-text.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { RESTOCKS, type VoidReason } from '../domain/void-reason.ts';

const NOTE_NEEDED = {
  problem: 'is required with the reason `other`',
  arabic: 'مطلوبة مع السبب «أخرى»',
} as const;

interface ReasonInput {
  readonly reason: VoidReason;
  readonly note?: string | null | undefined;
  /** By the reason when left out. */
  readonly restock?: boolean | undefined;
}

/** Throws INVALID_INPUT for `other` without a note. */
export const reasonIn = ({ reason, note, restock }: ReasonInput) => {
  const text = singleLine(note);
  if (reason === 'other' && text === null) throw invalidInput({ path: 'note', ...NOTE_NEEDED });
  return { reason, note: text, isRestocked: restock ?? RESTOCKS[reason] };
};
