/** Clients send few different header lines: what one means is worked out once. */

/** The readings of the first so many are kept, and none of a longer line. */
const MOST_READINGS = 256;
const LONGEST_LINE = 512;

/** `read`, a pure function, remembering what it made of the lines it has seen. */
export const remembered = <T>(read: (line: string) => T): ((line: string) => T) => {
  const readings = new Map<string, T>();
  return (line) => {
    const known = readings.get(line);
    if (known !== undefined) return known;
    const reading = read(line);
    if (readings.size < MOST_READINGS && line.length <= LONGEST_LINE) readings.set(line, reading);
    return reading;
  };
};
