/**
 * The baseline of the tool server: node:http, JSON.parse of the request, JSON.stringify of the result. Argument: the
 * file of the result.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const result: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
