/**
 * The tables as Kysely sees them; `migrations/` is the source. Each file of `schema/` adds its own to this interface, with
 * column types that follow the parsers of `types.ts`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by the files of `schema/`
export interface Database {}
