/** Rolls back: what a decision was based on was changed by another transaction, which committed first. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange';
}
