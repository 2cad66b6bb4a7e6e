/** A read of the API that a person sends from its reference. */

export interface TrialField {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  /** Filled in before. */
  readonly value: string;
}

export interface TrialOperation {
  readonly id: string;
  /** As in OpenAPI: `/public/branches/{id}/menu`. */
  readonly path: string;
  readonly fields: readonly TrialField[];
}

interface RequestLine {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fields without a value are left out. */
export const requestLine = ({ path, fields }: Pick<TrialOperation, 'path' | 'fields'>): RequestLine => {
  const filled = fields.filter(({ value }) => value !== '');
  const query = new URLSearchParams(
    filled.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]),
  ).toString();
  const valueAt = (name: string): string => filled.find((field) => field.name === name)?.value ?? '';
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueAt(name)));
  return {
    address: `${place}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(
      filled.filter((field) => field.place === 'header').map(({ name, value }) => [name, value]),
    ),
  };
};

/** What came back. */
export interface TrialReply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export type TrialState =
  | { readonly kind: 'idle' | 'sending' | 'failed' }
  | { readonly kind: 'answered'; readonly reply: TrialReply };
