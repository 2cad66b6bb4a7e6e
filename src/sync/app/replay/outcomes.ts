/** What becomes of an event of a device, as it is stored (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import { Refusal, wordsOf } from '../../../kernel/refusal.ts';
import type { Applied } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { REVISED_KINDS } from '../../contract/event-kinds.ts';
import { keptData, withoutVoucher } from '../../domain/kept-data.ts';
import type { EventOutcome } from '../../store/replay-event.ts';
import type { ReadEvent } from './read-event.ts';

const FAULT_OF_SERVER = { problem: 'a fault of the server', problem_ar: 'خطأ في الخادم' } as const;

/** It could not be recorded by itself. */
export const notApplied = (fault: unknown): ReviewReason => {
  if (!(fault instanceof Refusal)) return reason('not_applied', FAULT_OF_SERVER);
  const { refusal, figures } = fault;
  return reason('not_applied', {
    problem: wordsOf(refusal, 'en', figures),
    problem_ar: wordsOf(refusal, 'ar', figures),
  });
};

/** Another event had recorded it. */
export const APPLIED_BEFORE: EventOutcome = {
  ...{ outcome: 'applied', waitsFor: null, reasons: [], resultId: null, data: null },
};

/** Nothing was recorded: a person looks at it, with its data. */
export const leftToPerson = (
  { data, reasons }: Pick<ReadEvent, 'data' | 'reasons'>,
  why: ReviewReason,
): EventOutcome => ({
  ...{ outcome: 'review', waitsFor: null, reasons: [...reasons, why], resultId: null },
  data: withoutVoucher(data),
});

/** What other events may wait for, once this one waits no more. */
export const broughtBy = (
  { data, subjectId }: Pick<ReadEvent, 'data' | 'subjectId'>,
  { outcome }: Pick<EventOutcome, 'outcome'>,
): readonly Uuid[] => {
  if (outcome === 'waiting') return [];
  const items: unknown = data['items'];
  const lines = Array.isArray(items) ? (items as readonly { readonly item_id?: unknown }[]) : [];
  return [subjectId, ...lines.flatMap(({ item_id: id }) => (typeof id === 'string' ? [id] : []))];
};

/** What becomes of an event that was applied, or that waits. */
export const outcomeOf = (applied: Exclude<Applied, 'known'>, event: ReadEvent): EventOutcome => {
  if ('waitsFor' in applied)
    return {
      ...{ outcome: 'waiting', waitsFor: applied.waitsFor, reasons: event.reasons, resultId: null },
      data: event.data,
    };
  const reasons = [...event.reasons, ...applied.reasons];
  const isDone = reasons.length === 0;
  return {
    ...{ outcome: isDone ? 'applied' : 'review', waitsFor: null, reasons },
    ...{
      resultId: applied.resultId ?? null,
      data: isDone && !REVISED_KINDS.includes(event.kind) ? null : keptData(event.data),
    },
  };
};
