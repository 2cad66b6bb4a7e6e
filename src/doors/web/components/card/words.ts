/** A programme, its rewards and amounts in the reader's words. */
import type { Language } from '../../../../kernel/names.ts';
import { rewards } from '../../messages/compiled/rewards.ts';
import { figure } from '../format.ts';
import { useMessages, useReader } from '../reader.ts';
import type { JoinInfo, Mode } from './shapes.ts';

/** Of an amount in its sentence: `object` after a verb or a preposition. */
type Role = 'subject' | 'object';

/** `3 نقاط`, `3 points`. */
export const useAmount = (mode: Mode): ((amount: number, role?: Role) => string) => {
  const t = useMessages(rewards);
  const reader = useReader();
  return (amount, role = 'subject') => t[mode]({ count: amount, figure: figure(reader, amount), role });
};

export const programmeName = (language: Language, { brand }: Pick<JoinInfo, 'brand'>): string =>
  (language === 'ar' ? brand.program_name_ar : null) ?? brand.program_name;
