// Prints the events of Ahwa that are signed: WEBHOOK_SECRET=whsec_… node examples/receive-webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
const { WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('WEBHOOK_SECRET is missing: it is the secret that `ahwa webhook add` prints.');
  process.exit(2);
}
const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = request.headers;
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const [expected, sent] = [Buffer.from(`v1,${signature}`), Buffer.from(given ?? '')];
  const isSigned = sent.length === expected.length && timingSafeEqual(sent, expected);
  const isValid = isSigned && Math.abs(Date.now() / 1000 - time) < 300;
  if (isValid) console.log(body);
  response.writeHead(isValid ? 204 : 400).end();
});
server.listen(process.env.PORT ?? 8787, '127.0.0.1', () => console.log(server.address().port));
