/** Test files that pass on a database that is spread over shards; others were not tried, or do not pass yet (docs/scaling.md). */
const orders = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/orders/${name}.test.ts`);

export const TRIED: readonly string[] = [
  ...orders('board', 'board-archived', 'board-ends', 'board-races', 'brake', 'history', 'place-order'),
  ...orders('place-order-cart', 'place-order-delivery', 'place-order-idempotency', 'place-order-identity'),
  ...orders('place-order-input', 'place-order-money', 'place-order-notifications', 'place-order-races'),
  ...orders('place-order-refusals', 'place-order-stock', 'quoted-order-any', 'quoted-order-limits'),
  ...orders('reopened-orders', 'tracking'),
];
