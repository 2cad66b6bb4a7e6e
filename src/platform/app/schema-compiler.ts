/** Settings of ajv for schemas of our own. */
import type { Options } from 'ajv/dist/2020.js';

/**
 * What most of a compilation took, for nothing here: tests validate the schemas themselves, and checks of generated code
 * that ajv has shortened are no faster.
 */
export const COMPILED_QUICKLY = {
  validateSchema: false,
  meta: false,
  code: { optimize: false },
} as const satisfies Options;
