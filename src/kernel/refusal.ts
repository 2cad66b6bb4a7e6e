/** How the service says no: whoever refuses throws a `Refusal` of the catalogue; the doors translate it. */
import type { Translations } from './names.ts';
import { REFUSALS, type RefusalEntry, type RefusalName, type Words } from './refusal/catalogue.ts';

export { REFUSALS, type RefusalName, type Words } from './refusal/catalogue.ts';

/** The figures of a refusal: `vars` in the error body of a coded one, and what fills the words' braces. */
export type Figures = Readonly<Record<string, string | number | boolean | null>>;

/** What is malformed: the end of a sentence that begins with its place; what a guest can cause says it in Arabic too. */
export interface Problem {
  readonly problem: string;
  readonly arabic?: string;
}

/** One fault of an input: where it stands and what is wrong there. */
export interface Fault extends Problem {
  readonly path: string;
}

/** The names among figures, in the languages they are translated to. */
export type Names = Readonly<Record<string, Translations>>;

/** One of several things that are wrong: where, which refusal, with what figures, or malformed in which way. */
export interface CodedFault extends Partial<Problem> {
  readonly path: string;
  readonly refusal: RefusalName;
  readonly figures: Figures;
  readonly names?: Names;
}

/** As many faults as one answer tells: more than people ever make. */
const MOST_FAULTS = 1_000;

/** What only some refusals have (see `Refusal`). */
export type RefusalParts = Partial<
  Pick<Refusal, 'faults' | 'coded' | 'leftOut' | 'lists' | 'beside' | 'retryAfterSeconds' | 'cause'>
>;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: RefusalName;
  readonly figures: Figures;
  /** What is malformed. */
  readonly faults: readonly Fault[];
  /** Everything that is wrong, where at least one thing has a code. */
  readonly coded: readonly CodedFault[];
  /** How many faults more there are than are told. */
  readonly leftOut: number;
  /** Figures that are more than a value each, such as lists; they stand in `vars` beside the others. */
  readonly lists: Readonly<Record<string, unknown>>;
  /** What stands in the error body beside `vars`, such as `kind`. */
  readonly beside: Readonly<Record<string, unknown>>;
  /** After how long it is worth trying again; undefined: what is usual for such a refusal. */
  readonly retryAfterSeconds: number | undefined;
  /** What the operator is told in the log, and whoever asked is not. */
  override readonly cause: unknown;

  constructor(refusal: RefusalName, figures: Figures = {}, more: RefusalParts = {}) {
    super(wordsOf(refusal, 'en', figures));
    this.refusal = refusal;
    this.figures = figures;
    this.faults = more.faults ?? [];
    this.coded = more.coded ?? [];
    this.leftOut = more.leftOut ?? 0;
    this.lists = more.lists ?? {};
    this.beside = more.beside ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.cause = more.cause;
  }
}

const hasCode = ({ refusal }: CodedFault): boolean => REFUSALS[refusal].code !== null;

/** The faults that are told, in their order: where there are too many, the first and those with a code before others. */
const told = (all: readonly CodedFault[]): readonly CodedFault[] => {
  if (all.length <= MOST_FAULTS) return all;
  const byWeight = new Set([...all.slice(0, 1), ...all.filter(hasCode), ...all]);
  const kept = new Set([...byWeight].slice(0, MOST_FAULTS));
  return all.filter((fault) => kept.has(fault));
};

/**
 * The refusal of everything that is wrong with an input, in the order of lines and fields: the first gives status,
 * code and figures, and all stand in it (Decisions 3, vars).
 */
export const refusedFor = (all: readonly CodedFault[]): Refusal => {
  const { refusal, figures } = all[0] ?? { refusal: 'INVALID_INPUT', figures: {} };
  const faults = told(all);
  const malformed = faults.flatMap(({ path, problem, arabic }) => {
    if (problem === undefined) return [];
    return [arabic === undefined ? { path, problem } : { path, problem, arabic }];
  });
  return new Refusal(refusal, figures, {
    faults: malformed,
    coded: faults.some(hasCode) ? faults : [],
    leftOut: all.length - faults.length,
  });
};

/** Whether what was thrown says that a part is away: the refusal, or the store's own fault of that name. */
export const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Refusal
    ? thrown.refusal === 'UNAVAILABLE'
    : thrown instanceof Error && thrown.name === 'DatabaseUnavailable';

/** A malformed or missing input, every fault named at once (Decisions 5). */
export const invalidInput = (...faults: readonly Fault[]): Refusal =>
  refusedFor(faults.map((fault) => ({ ...fault, refusal: 'INVALID_INPUT', figures: {} })));

/** What people call a thing that figures name by its code; codes stay in `vars`. */
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

/** The words in a language, their braces filled with the figures; a name is told in that language where it has it. */
export const filledIn = (words: Words, language: 'en' | 'ar', figures: Figures, names: Names = {}): string =>
  words[language].replace(/\{(\w+)\}/g, (_, key: string) => {
    const figure = String(figures[key] ?? '');
    return names[key]?.[language] ?? FIGURE_WORDS[key]?.[figure]?.[language] ?? figure;
  });

/** The refusal's sentence. */
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
