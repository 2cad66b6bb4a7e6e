/** The path of an installed browser. */
export const findBrowser: () => string | undefined;
