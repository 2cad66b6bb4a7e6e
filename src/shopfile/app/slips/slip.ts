/** Something that is allowed, and looks like a mistake. */
export interface Slip {
  /** The same for the same mistake, whatever is around it. */
  readonly key: string;
  /** A sentence without its full stop. */
  readonly text: string;
}
