/** What the picker of party, date and time shows, and what it does on a tap. */
import type { LocalDate } from '../../../../kernel/time.ts';
import type { BookingBranch } from './branch.ts';
import type { Slots } from './times.ts';

export interface Choice {
  readonly party: number;
  readonly date: LocalDate;
}

export type TimesState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'listed'; readonly slots: Slots }
  /** `message`: in the reader's language. */
  | { readonly kind: 'failed'; readonly message: string };

export interface PickerProps {
  readonly branch: BookingBranch;
  readonly choice: Choice;
  readonly times: TimesState;
  /** The chosen start; null: none. */
  readonly chosen: string | null;
  /** The start that another guest took between choice and confirmation; null: none. */
  readonly taken: string | null;
  /** False: the page answers to no tap yet, or waits for an answer. */
  readonly isAlive: boolean;
  readonly onChoice: (choice: Choice) => void;
  readonly onTime: (start: string) => void;
  readonly onRetry: () => void;
}
