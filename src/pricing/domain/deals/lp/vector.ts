/** Operations on consecutive numbers that count as one unit of work. With 1 6 more carts stay unproven; with 16 1 less. */
export const DENSE = 4;

/** The same numbers with room for at least `capacity` of them. */
export const withCapacity = <T extends Float64Array | Int32Array | Uint16Array>(
  numbers: T,
  capacity: number,
): T => {
  if (numbers.length >= capacity) return numbers;
  const Numbers = numbers.constructor as new (length: number) => T;
  const larger = new Numbers(Math.max(capacity, numbers.length * 2));
  larger.set(numbers);
  return larger;
};
