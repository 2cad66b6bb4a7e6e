export interface Warning {
  /** Identifies the mistake before and after an import. */
  readonly key: string;
  /** A sentence without a full stop. */
  readonly text: string;
}
