/** What checks do with lists. */

export type Faults = readonly string[];

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** What one list has more of than the other, as text. */
export const differences = (what: string, expected: readonly string[], got: readonly string[]): Faults => {
  const left = [...got];
  const missing = expected.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return [
    ...missing.map((one) => `${what} is missing: ${one}`),
    ...left.map((one) => `${what} too much: ${one}`),
  ];
};
