/** A copy of the object without some of its fields. */
export const withoutFields = <T extends object, K extends keyof T & string>(
  object: T,
  ...fields: readonly K[]
): Omit<T, K> => {
  const left = new Set<string>(fields);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !left.has(name))) as Omit<T, K>;
};
