/** What a command says on standard error besides the name of its database, which depends on the folder. */
export const withoutDatabase = (stderr: string): string => stderr.replace(/^ahwa: database: .*\n/gm, '');
