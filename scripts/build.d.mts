/** Packages that the bundles require from `node_modules`. */
export const BESIDE: readonly string[];
