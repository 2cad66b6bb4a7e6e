/** Groups keep the order of `entries`; keys are in order of first appearance. */
export const groupBy = <T, K>(
  entries: readonly T[],
  keyOf: (entry: T) => K,
): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
};
