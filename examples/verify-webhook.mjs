/**
 * Receives what Ahwa tells of orders, and believes only what is signed with the secret of `ahwa webhook add`:
 *
 *   WEBHOOK_SECRET=whsec_… node examples/verify-webhook.mjs
 *
 * It listens on PORT (8787) without TLS: put your web server, which has the certificate, in front of it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '' } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
if (key.length === 0) {
  console.error('WEBHOOK_SECRET is missing: it is the secret that `ahwa webhook add` prints.');
  process.exit(2);
}

/** An older request may be one that somebody recorded and sends again. */
const TOLERANCE_SECONDS = 5 * 60;

/** The event of a request, or null when it is not Ahwa's. `body`: the text as it came, not parsed and written anew. */
const verified = (headers, body) => {
  const id = headers['webhook-id'] ?? '';
  const sentAt = headers['webhook-timestamp'] ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(sentAt));
  if (!(age <= TOLERANCE_SECONDS)) return null;
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, text = ''] = entry.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? { id, ...JSON.parse(body) } : null;
};

/** Events can come more than once: what was done for an id is not done again. Yours is a table that survives a restart. */
const done = new Set();

/** `data` is the order as it is now; of two events of one order the later `data.updated_at` is right. */
const handle = ({ id, type, data }) => {
  if (done.has(id)) return;
  done.add(id);
  console.log(`${type}: order ${data.delivery_ref ?? data.id} is ${data.status}`);
};

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const event = verified(request.headers, Buffer.concat(chunks).toString('utf8'));
    if (event !== null) handle(event);
    // Anything but 2xx, and the event comes again.
    response.writeHead(event === null ? 400 : 204).end();
  });
}).listen(Number(process.env.PORT ?? 8787), function () {
  console.log(`listening on port ${this.address().port}`);
});
