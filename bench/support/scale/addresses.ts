/** Addresses of this machine, for clients that are counted apart. */
export const addressBy = (client: number): string =>
  `127.${1 + ((client >> 16) & 0x7f)}.${(client >> 8) & 0xff}.${client & 0xff}`;
