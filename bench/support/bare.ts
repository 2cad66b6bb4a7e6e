/** The baseline of GET: node:http with one constant answer. Argument: a `BareAnswer` as JSON. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { BareAnswer } from './baseline.ts';

const { status, headers, bodyFile } = JSON.parse(process.argv[2] ?? '') as BareAnswer;
const body = bodyFile === null ? null : readFileSync(bodyFile);

const server = createServer((_, response) => {
  response.writeHead(status, headers);
  if (body === null) response.end();
  else response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
