/** What a refused cart or order is about. */
import { ApiError } from '../../../../client/client.ts';

const CART_CODES: ReadonlySet<string> = new Set([
  ...[
    'ITEM_NOT_FOUND',
    'ITEM_UNAVAILABLE',
    'ADDON_UNAVAILABLE',
    'COMBO_UNAVAILABLE',
    'COMBO_ITEM_UNAVAILABLE',
  ],
  ...['COMBO_PICKS_REQUIRED', 'COMBO_SLOT_TOO_FEW', 'COMBO_SLOT_TOO_MANY', 'COMBO_CHOICE_NOT_ALLOWED'],
  ...['COMBO_NESTED', 'MODIFIER_TOO_FEW', 'MODIFIER_TOO_MANY'],
]);

export const isAboutCart = ({ body }: ApiError): boolean => CART_CODES.has(body.code ?? '');

const REWARD_CODES: ReadonlySet<string> = new Set(['REWARD_UNAVAILABLE', 'REWARD_IN_COMBO', 'LOYALTY_OFF']);

/** The card says it, and the cart is priced again without its rewards. */
export const isAboutRewards = ({ body }: ApiError): boolean =>
  REWARD_CODES.has(body.code ?? '') || (body.fields ?? []).some(({ path }) => path.startsWith('rewards'));

/** The line of the cart that a path such as `items[2].addons[0]` names. */
export const lineOf = (path: string): number | null => {
  const index = /^items\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? null : Number(index);
};

export interface LineFault {
  readonly line: number;
  /** Units that are left, where that is the fault. */
  readonly available: number | null;
}

export const lineFaults = (refusal: ApiError | null): readonly LineFault[] =>
  (refusal?.body.faults ?? []).flatMap(({ path, vars }) => {
    const line = lineOf(path);
    const available = vars['available'];
    return line === null ? [] : [{ line, available: typeof available === 'number' ? available : null }];
  });

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The faults of the fields of a request, by name. */
export const fieldFaults = ({ body }: ApiError): Readonly<Record<string, string>> =>
  Object.fromEntries((body.fields ?? []).map(({ path, problem }) => [path, capitalized(problem)]));

export const codeOf = (fault: unknown): string | null =>
  fault instanceof ApiError ? (fault.body.code ?? null) : null;
