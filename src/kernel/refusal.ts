/** Thrown to refuse a request; HTTP and the tool server translate it. */
import type { Translations } from './names.ts';
import { REFUSALS, type RefusalEntry, type RefusalName, type Words } from './refusal/catalogue.ts';
import { waitText } from './refusal/wait.ts';

export { REFUSALS, type RefusalName, type Words } from './refusal/catalogue.ts';

/** Parameters of the message, and `vars` of a coded error. */
export type Figures = Readonly<Record<string, string | number | boolean | null>>;

/** `problem` ends a sentence that begins with the path of a field; after `arabic` the path stands in parentheses. */
export interface Problem {
  readonly problem: string;
  readonly arabic: string;
}

export interface Fault extends Problem {
  readonly path: string;
}

/** Translated names among the figures. */
export type Names = Readonly<Record<string, Translations>>;

interface FaultFacts {
  readonly path: string;
  readonly refusal: RefusalName;
  readonly figures: Figures;
  readonly names?: Names;
}

/** Where `refusal` has a code, its words are those of the refusal. */
export type CodedFault = FaultFacts &
  (Problem | { readonly problem?: undefined; readonly arabic?: undefined });

/** More than people make by hand. */
const MAX_FAULTS = 1_000;

export type RefusalParts = Partial<
  Pick<Refusal, 'faults' | 'coded' | 'leftOut' | 'lists' | 'extraFields' | 'retryAfterSeconds' | 'cause'>
>;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: RefusalName;
  readonly figures: Figures;
  /** Malformed input. */
  readonly faults: readonly Fault[];
  /** All faults, if at least one has a code. */
  readonly coded: readonly CodedFault[];
  readonly leftOut: number;
  /** Structured values in `vars`, such as lists. */
  readonly lists: Readonly<Record<string, unknown>>;
  /** Further fields of the error body, such as `kind`. */
  readonly extraFields: Readonly<Record<string, unknown>>;
  /** undefined: the default of this refusal. */
  readonly retryAfterSeconds: number | undefined;
  /** For the log only, never in an answer. */
  override readonly cause: unknown;

  constructor(refusal: RefusalName, figures: Figures = {}, more: RefusalParts = {}) {
    super(wordsOf(refusal, 'en', figures));
    this.refusal = refusal;
    this.figures = figures;
    this.faults = more.faults ?? [];
    this.coded = more.coded ?? [];
    this.leftOut = more.leftOut ?? 0;
    this.lists = more.lists ?? {};
    this.extraFields = more.extraFields ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.cause = more.cause;
  }
}

const hasCode = ({ refusal }: CodedFault): boolean => REFUSALS[refusal].code !== null;

/** At most `MAX_FAULTS`, in the given order: the first, then those with a code, then others. */
const limited = (all: readonly CodedFault[]): readonly CodedFault[] => {
  if (all.length <= MAX_FAULTS) return all;
  const byPriority = new Set([...all.slice(0, 1), ...all.filter(hasCode), ...all]);
  const included = new Set([...byPriority].slice(0, MAX_FAULTS));
  return all.filter((fault) => included.has(fault));
};

/**
 * One refusal for all faults of an input, in the order of lines and fields: the first fault sets status, code
 * and figures (Decisions 3, vars).
 */
export const refusedFor = (all: readonly CodedFault[]): Refusal => {
  const { refusal, figures } = all[0] ?? { refusal: 'INVALID_INPUT', figures: {} };
  const faults = limited(all);
  const malformed = faults.flatMap(({ path, problem, arabic }) =>
    problem === undefined ? [] : [{ path, problem, arabic }],
  );
  return new Refusal(refusal, figures, {
    faults: malformed,
    coded: faults.some(hasCode) ? faults : [],
    leftOut: all.length - faults.length,
  });
};

/** Whether a dependency is unavailable: the refusal, or the store's own error. */
export const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Refusal
    ? thrown.refusal === 'UNAVAILABLE'
    : thrown instanceof Error && thrown.name === 'DatabaseUnavailable';

/** Too many requests, and unavailable. */
const TEMPORARY: readonly number[] = [429, 503];

/** Whether the same request may succeed later. */
export const isTemporary = (thrown: unknown): boolean =>
  thrown instanceof Refusal ? TEMPORARY.includes(REFUSALS[thrown.refusal].status) : isUnavailable(thrown);

/** Lists every fault (Decisions 5). */
export const invalidInput = (...faults: readonly Fault[]): Refusal =>
  refusedFor(faults.map((fault) => ({ ...fault, refusal: 'INVALID_INPUT', figures: {} })));

/** Display names of codes; `vars` keeps the codes. */
const FIGURE_WORDS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  channel: {
    pickup: { en: 'Pickup', ar: 'الاستلام من الفرع' },
    outside: { en: 'Delivery', ar: 'التوصيل' },
    in_mall: { en: 'Delivery in the mall', ar: 'التوصيل داخل المول' },
    umbrella: { en: 'Service at the umbrella', ar: 'الخدمة عند الشمسية' },
  },
  family: {
    milk_type: { en: 'milk', ar: 'لبن' },
    coffee_type: { en: 'coffee', ar: 'بُن' },
  },
};

/** Replaces `{key}` by the figure, or by its name in that language; `{wait}` by `retry_after_seconds` in words. */
export const filledIn = (words: Words, language: 'en' | 'ar', figures: Figures, names: Names = {}): string =>
  words[language].replace(/\{(\w+)\}/g, (_, key: string) => {
    if (key === 'wait') return waitText(language, Number(figures['retry_after_seconds']));
    const figure = String(figures[key] ?? '');
    return names[key]?.[language] ?? FIGURE_WORDS[key]?.[figure]?.[language] ?? figure;
  });

export const wordsOf = (
  refusal: RefusalName,
  language: 'en' | 'ar',
  figures: Figures = {},
  names: Names = {},
): string => {
  const entry: RefusalEntry = REFUSALS[refusal];
  const isLess = Number(figures['available'] ?? 0) > 0;
  return filledIn(isLess && entry.left !== undefined ? entry.left : entry, language, figures, names);
};
