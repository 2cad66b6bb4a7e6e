import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port that is free at the time of the call. */
export const freePort = async (): Promise<number> => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  other.close();
  await once(other, 'close');
  return port;
};
