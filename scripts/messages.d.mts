/** The compiled module of each catalogue in `folder`, by path. */
export const compileMessages: (folder: string) => Promise<ReadonlyMap<string, string>>;
