/** The code that Node.js or PostgreSQL gives an error; empty: none. */
export const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
