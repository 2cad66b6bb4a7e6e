import type { Endpoint } from './endpoint.ts';

/** The endpoints among the exports of a module of a contract. */
type EndpointsOf<Exports> = {
  readonly [Name in keyof Exports as Exports[Name] extends Endpoint ? Name : never]: Exports[Name];
};

type AllEndpointsOf<Modules extends readonly unknown[]> = Modules extends readonly [
  infer First,
  ...infer Rest,
]
  ? EndpointsOf<First> & AllEndpointsOf<Rest>
  : unknown;

const isEndpoint = (exported: unknown): exported is Endpoint =>
  typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported;

/**
 * Collects the endpoints that modules of a contract export, by their ids. Throws at start if one is exported under
 * another name than its id, by which its handler is found, and if two have the same id.
 */
export const endpointsOf = <const Modules extends readonly object[]>(
  ...modules: Modules
): AllEndpointsOf<Modules> => {
  const entries = modules.flatMap((exports) =>
    Object.entries(exports).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  );
  for (const [name, { id }] of entries)
    if (name !== id) throw new Error(`The endpoint ${id} is exported as ${name}.`);
  const repeated = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index);
  if (repeated !== undefined) throw new Error(`Two endpoints are called ${repeated[0]}.`);
  return Object.fromEntries(entries) as AllEndpointsOf<Modules>;
};
