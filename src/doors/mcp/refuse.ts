/** A result with `isError` whose text says what was wrong and what to do instead (Decisions 14). */
import { isUnavailable, Refusal, type RefusalName } from '../../kernel/refusal.ts';

/** The message is the whole text for the model. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable';
}

type Explain = (refusal: Refusal) => string | Promise<string>;

/** Refusals without an entry in `words` pass through. */
export const explained = async <T>(
  answer: Promise<T>,
  words: Readonly<Partial<Record<RefusalName, Explain>>>,
): Promise<T> => {
  try {
    return await answer;
  } catch (thrown) {
    const explain = thrown instanceof Refusal ? words[thrown.refusal] : undefined;
    if (!(thrown instanceof Refusal) || explain === undefined) throw thrown;
    throw new Unanswerable(await explain(thrown));
  }
};

/** Never reveals internal errors. */
export const refusalText = (thrown: unknown): string => {
  if (thrown instanceof Unanswerable) return thrown.message;
  if (isUnavailable(thrown))
    return 'This is temporarily unavailable. Nothing was wrong with the call: try the same again in a few seconds.';
  return 'This could not be answered: something went wrong on our side, perhaps temporarily. Try the same once more; if it fails again, tell the person that it does not work now.';
};
