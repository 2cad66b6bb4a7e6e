/** A refusal as the error body, in the client's language (Behaviour, Errors; Decisions 5). */
import type { ErrorBody } from '../../platform/contract/error.ts';
import { isUnavailable, Refusal, REFUSALS, wordsOf } from '../../kernel/refusal.ts';
import type { Fault } from '../../kernel/refusal.ts';
import type { Language } from '../../kernel/names.ts';
import { preferencesOf } from './content-negotiation.ts';

/** `Retry-After` of an unavailable service, seconds (Decisions 5, 503). */
const RETRY_UNAVAILABLE_SECONDS = 2;
/** Of a shop that moves: it takes minutes. */
const RETRY_MOVING_SECONDS = 30;

/** Null where neither of our languages is named. Equal weights go by order. */
export const preferredLanguage = (acceptLanguage: string | undefined): Language | null => {
  if (acceptLanguage === undefined) return null;
  const preferences = preferencesOf(acceptLanguage)
    .map(({ name, weight }) => ({ language: name.split('-')[0], weight }))
    .filter(
      (preference) => preference.weight > 0 && (preference.language === 'ar' || preference.language === 'en'),
    )
    .sort((a, b) => b.weight - a.weight);
  const [first] = preferences;
  return first === undefined ? null : first.language === 'ar' ? 'ar' : 'en';
};

export const languageOf = (acceptLanguage: string | undefined): Language =>
  preferredLanguage(acceptLanguage) ?? 'en';

/** A problem may end in a question. */
const ended = (text: string): string => (/[?؟]$/.test(text) ? text : `${text}.`);

const sentenceOf = (refusal: Refusal, language: Language): string => {
  const first: Fault | undefined = REFUSALS[refusal.refusal].code === null ? refusal.faults[0] : undefined;
  if (first === undefined)
    return wordsOf(refusal.refusal, language, refusal.figures, refusal.coded[0]?.names);
  return language === 'en'
    ? ended(`${first.path} ${first.problem}`)
    : `${ended(first.arabic)} (${first.path})`;
};

/** Only a refusal with a code has `vars`; the wait is a separate field. */
const varsOf = ({ figures, lists }: Refusal, code: string | null): Pick<ErrorBody, 'vars'> => {
  const own = Object.entries({ ...figures, ...lists }).filter(([name]) => name !== 'retry_after_seconds');
  return code === null || own.length === 0 ? {} : { vars: Object.fromEntries(own) };
};

/** Every fault, where one of them has a code (Decisions 3, vars). */
const codedOf = ({ coded }: Refusal): Pick<ErrorBody, 'faults'> =>
  coded.length === 0
    ? {}
    : {
        faults: coded.map(({ path, refusal, figures }) => ({
          path,
          code: REFUSALS[refusal].code,
          vars: { ...figures },
        })),
      };

const fieldsOf = ({ faults }: Refusal, language: Language): Pick<ErrorBody, 'fields'> =>
  faults.length === 0
    ? {}
    : {
        fields: faults.map(({ path, problem, arabic }) => ({
          path,
          problem: language === 'ar' ? arabic : problem,
        })),
      };

export const errorBody = (refusal: Refusal, language: Language): ErrorBody => {
  const { code } = REFUSALS[refusal.refusal];
  const wait = refusal.figures['retry_after_seconds'];
  return {
    error: sentenceOf(refusal, language),
    ...(code === null ? {} : { code }),
    ...(typeof wait === 'number' ? { retry_after_seconds: wait } : {}),
    ...varsOf(refusal, code),
    ...refusal.extraFields,
    ...fieldsOf(refusal, language),
    ...codedOf(refusal),
    ...(refusal.leftOut === 0 ? {} : { faults_left_out: refusal.leftOut }),
  };
};

/** Null where waiting does not help. */
export const retryAfterOf = (refusal: Refusal): number | null => {
  const wait = refusal.figures['retry_after_seconds'];
  if (typeof wait === 'number') return wait;
  if (refusal.retryAfterSeconds !== undefined) return refusal.retryAfterSeconds;
  if (refusal.refusal === 'SHOP_MOVING') return RETRY_MOVING_SECONDS;
  return refusal.refusal === 'UNAVAILABLE' ? RETRY_UNAVAILABLE_SECONDS : null;
};

export const statusOf = (refusal: Refusal): number => REFUSALS[refusal.refusal].status;

/** An unforeseen fault is INTERNAL, with the request id alone. */
export const refusalOf = (thrown: unknown, requestId: string): Refusal => {
  if (thrown instanceof Refusal) return thrown;
  if (isUnavailable(thrown)) return new Refusal('UNAVAILABLE');
  return new Refusal('INTERNAL', { request_id: requestId });
};
