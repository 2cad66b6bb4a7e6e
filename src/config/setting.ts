export interface Setting<T> {
  /** undefined: invalid. */
  readonly parse: (text: string) => T | undefined;
  readonly defaultValue: T;
  /** In words, for the docs. */
  readonly defaultText: string;
  /** Completes "it must be …". */
  readonly allowed: string;
  readonly doc: string;
  /** Details of an invalid text. */
  readonly faults?: (text: string) => readonly string[];
  /** The value of a secret is never shown. */
  readonly secret?: true;
}

export const setting = <T>(of: Setting<T>): Setting<T> => of;
