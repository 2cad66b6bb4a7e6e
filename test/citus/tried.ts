/** Test files that pass on a database that is spread over shards; others were not tried, or do not pass yet (docs/scaling.md). */
const orders = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/orders/${name}.test.ts`);

export const TRIED: readonly string[] = [
  ...orders('board', 'board-ends', 'board-races', 'brake', 'place-order', 'place-order-identity'),
  ...orders('place-order-input', 'place-order-money', 'place-order-notifications', 'place-order-stock'),
  ...orders('quoted-order-any', 'quoted-order-limits', 'reopen', 'reopened-orders'),
];
