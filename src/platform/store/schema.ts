/**
 * Kysely's view of the tables. Each file of `store/schema` adds its tables. Column types follow the parsers of
 * `types.ts`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by the files of `schema/`
export interface Database {}
