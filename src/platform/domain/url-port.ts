/** The port that an http or https URL leads to. */
export const portOf = ({ port, protocol }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
};
