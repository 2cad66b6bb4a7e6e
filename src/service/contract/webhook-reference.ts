/** Webhooks, for those who set one up and those who write its receiver (Decisions 12): `docs/webhooks.md`. */
import {
  commandOf,
  heading,
  jsonOf,
  linesOf,
  listOf,
  markdown,
  tableOf,
  text,
  type Block,
} from './document-blocks.ts';

const EVENT = {
  type: 'order.updated',
  timestamp: '2026-11-20T18:04:10.000Z',
  data: {
    id: '3f2504e0-4f89-41d3-9a0c-012345678901',
    channel: 'pickup',
    status: 'ready',
    delivery_ref: 'D-ZML-261120-0007',
    total: 4500,
    updated_at: '2026-11-20T18:04:10.000Z',
  },
};

/** The text of examples/receive-webhook.mjs, which a test compares. */
const RECEIVER = [
  '// Prints the events of Ahwa that are signed: WEBHOOK_SECRET=whsec_… node examples/receive-webhook.mjs',
  "import { createHmac, timingSafeEqual } from 'node:crypto';",
  "import { createServer } from 'node:http';",
  'const { WEBHOOK_SECRET } = process.env;',
  'if (!WEBHOOK_SECRET) {',
  "  console.error('WEBHOOK_SECRET is missing: it is the secret that `ahwa webhook add` prints.');",
  '  process.exit(2);',
  '}',
  "const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');",
  'const server = createServer(async (request, response) => {',
  '  const body = Buffer.concat(await request.toArray()).toString();',
  "  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = request.headers;",
  "  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');",
  "  const [expected, sent] = [Buffer.from(`v1,${signature}`), Buffer.from(given ?? '')];",
  '  const isSigned = sent.length === expected.length && timingSafeEqual(sent, expected);',
  '  const isValid = isSigned && Math.abs(Date.now() / 1000 - time) < 300;',
  '  if (isValid) console.log(body);',
  '  response.writeHead(isValid ? 204 : 400).end();',
  '});',
  "server.listen(process.env.PORT ?? 8787, '127.0.0.1', () => console.log(server.address().port));",
].join('\n');

const events = (): Block[] => [
  heading(1, 'Webhooks'),
  text(
    "Ahwa sends events about online orders to a shop's own systems (a till, a stock system, a spreadsheet): a " +
      'POST to their address when an order is placed and whenever it changes. The format is [Standard ' +
      'Webhooks](https://www.standardwebhooks.com), so its libraries can verify the requests.',
  ),
  heading(2, 'Setting it up'),
  commandOf(
    [
      'ahwa webhook add my-shop https://till.example/hooks   # prints the id and the secret of the address, once',
      'ahwa webhook list my-shop                             # shows the last try of each, and what has not arrived',
      'ahwa webhook test my-shop <id>                        # sends a test event now, and shows the answer',
      'ahwa webhook rotate my-shop <id>                      # makes a new secret; the old one is no longer used',
      'ahwa webhook remove my-shop <id>                      # its waiting events are dropped',
      'ahwa webhook off my-shop <id>                         # its waiting events are parked; no new ones are added',
      'ahwa webhook on my-shop <id>                          # it gets new events from now on',
      'ahwa webhook replay my-shop                           # repeats parked events',
      'ahwa webhook replay my-shop --since 2026-11-20T00:00:00Z   # repeats all events since then',
    ].join('\n'),
  ),
  text(
    'An address is https, on any port, and on the public internet. An address that is obviously not public ' +
      '(`https://10.0.0.1/`, `https://[::1]/`, a name under `localhost`, `local` or `internal`) cannot be ' +
      'added. Other names are resolved at every delivery; if one of their IP addresses is private, local or ' +
      'otherwise not public, no event is sent. Hosts inside your network can be permitted ' +
      '([WEBHOOK_ALLOW](#inside-your-network)). The certificate must be valid. Redirects are not followed. A ' +
      'shop has at most 10 addresses; each gets every event.',
  ),
  heading(2, 'Events'),
  tableOf(
    ['Event', 'When'],
    [
      ['`order.created`', 'an order was placed'],
      [
        '`order.updated`',
        'it changed: a step forward or back, preparation time, delivery with its payment, cancellation, rejection, or a delivery that was undone, after which `payment_method` is null again',
      ],
      [
        '`security.wrong_tries`',
        'ten wrong PINs and passwords at the shop within an hour; once an hour at most',
      ],
      ['`webhook.test`', 'somebody ran `ahwa webhook test`; `data` is `{"org_id": …}`'],
    ],
  ),
  tableOf(
    ['Header', 'Value'],
    [
      ['`webhook-id`', "the event's id, the same in every try"],
      ['`webhook-timestamp`', 'when this request was sent in real time, in seconds since 1970'],
      [
        '`webhook-signature`',
        '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, under the bytes after `whsec_` of your secret',
      ],
    ],
  ),
  jsonOf(EVENT),
  text(
    '`timestamp` is the time of the change. `data` is the order as `GET /staff/orders/{id}` returns it (with ' +
      'more fields than shown here; money is in piastres), as it is when the event is sent: an event that ' +
      'waited has the newest state, not the state of its change. Erased personal data are in no later event.',
  ),
  text(
    '`data` of `security.wrong_tries` is `{"org_id": …, "tries": 10}`. The staff members, devices and ' +
      'addresses of the tries are in the audit log (`GET /staff/audit`, `staff.pin_wrong` and ' +
      '`staff.password_wrong`). Notify the owner when you get this event.',
  ),
];

const tryingOut = (): Block[] => [
  heading(2, 'Trying it out'),
  text(
    'A receiver in twenty lines, [examples/receive-webhook.mjs](../examples/receive-webhook.mjs), prints ' +
      'every event whose signature is right:',
  ),
  { kind: 'code', language: 'js', text: RECEIVER },
  text(
    'Ahwa reaches the public internet alone, so permit this machine first, for the server and for each ' +
      'command (`export` does both in one shell):',
  ),
  commandOf(
    [
      'export WEBHOOK_ALLOW=127.0.0.1',
      'ahwa webhook add my-shop http://127.0.0.1:8787/             # prints the id and the secret',
      'WEBHOOK_SECRET=whsec_… node examples/receive-webhook.mjs &',
      'ahwa webhook test my-shop',
    ].join('\n'),
  ),
  linesOf(['0d1f… http://127.0.0.1:8787/, status 204, 12 ms, delivered: answered 204']),
  text(
    '`ahwa webhook test my-shop [<id>]` sends one `webhook.test` to an address, or to all that are switched ' +
      'on, by the way that every event takes: its signature, the check of the address, ten seconds at most, no ' +
      'redirects. It prints status, duration and reason, and exits with 1 when an event did not arrive. It is ' +
      'no event of the outbox: it is not retried, no order is touched, and an answer 410 does not switch the ' +
      'address off. `ahwa webhook list` shows it as the last try. While sending is off (`ahwa sending`) it is ' +
      'refused. `CLOCK_START` does not change `webhook-timestamp`, which is always the real time.',
  ),
  heading(3, 'Inside your network'),
  text(
    '`WEBHOOK_ALLOW` lists hosts that are not on the public internet, for the whole installation, with commas ' +
      'between them: names, addresses or ranges, each with a port or for all ports.',
  ),
  tableOf(
    ['Entry', 'Permits'],
    [
      ['`127.0.0.1`', 'this address, at every port'],
      [
        '`10.0.0.0/8`, `[fd00::/8]:443`',
        'every address of the range, and names in DNS that lead there (https)',
      ],
      [
        '`till.internal:8443`, `localhost`',
        'this name, wherever inside it leads; it is resolved as the machine does, with its hosts file',
      ],
    ],
  ),
  text(
    'Loopback, private, unique local and carrier-grade NAT addresses can be permitted. Link-local addresses, ' +
      'those at which clouds give out credentials (169.254.169.254, fd00:ec2::254 and others), unspecified and ' +
      'other special ones are never reached, whatever the list says. An entry that is such an address, ' +
      'or lies within a range of them, stops the start; a wider one, such as `0.0.0.0/0`, permits only what ' +
      'can be permitted in it. A name is checked after it is resolved, at each delivery: every address that it leads to must be public or ' +
      'permitted, and only those are connected to.',
  ),
  text(
    'A host that is listed by its name, and an address of a listed range, may be `http://`, because hosts ' +
      'inside often have no certificate: who can read the network between can read the orders. Through https ' +
      'the certificate must be valid there too (`NODE_EXTRA_CA_CERTS` adds an authority of your own).',
  ),
];

const receiving = (): Block[] => [
  heading(2, 'Verifying a request'),
  text(
    '[examples/verify-webhook.mjs](../examples/verify-webhook.mjs) is a complete receiver in fifty lines that ' +
      'you can run:',
  ),
  commandOf(['WEBHOOK_SECRET=whsec_… node examples/verify-webhook.mjs'].join('\n')),
  text('In any language:'),
  listOf([
    'Verify the bytes of the body as received; JSON that was parsed and written again has another signature.',
    'Compare signatures in constant time, and accept the request if any signature in the header is valid.',
    'Refuse a `webhook-timestamp` that differs from your clock by more than five minutes.',
    'Store the ids that you have processed: an event can arrive twice, after a lost response or a replay.',
    'Respond with 2xx within ten seconds, before any long work. The body of the response is not read.',
  ]),
  heading(2, 'Watching'),
  linesOf([
    '$ ahwa webhook list my-shop',
    '0d1f… https://till.example/hooks, last try 2026-11-20T18:04:10.000Z: answered 204',
    '7a52… https://stock.example/in?… (switched off), last try 2026-11-20T18:04:11.000Z: answered 410; 0 waiting, 3 parked',
    '$ ahwa outbox list my-shop',
    'Nothing is parked.',
    '',
    'Waiting for another try:',
    '2026-11-20T18:04:10.000Z webhook of order 3f25… to till.example/hooks, tried 2 times, last at 2026-11-20T18:04:15.000Z: answered 503; next try at 2026-11-20T18:04:25.000Z',
  ]),
  heading(2, 'Retries'),
  tableOf(
    ['Your response', 'Result'],
    [
      ['2xx', 'the event is delivered'],
      ['410', 'the address is switched off, and its waiting events are parked'],
      [
        'another status, a redirect, no response in ten seconds, no connection',
        'the event is retried after 5 s, 10 s, 20 s and so on, up to 30 minutes; `Retry-After` is followed',
      ],
    ],
  ),
  text(
    'After 56 tries, about a day, an event is parked: `ahwa outbox list my-shop` shows it with its address ' +
      '(host and path), the last try and the reason, and `ahwa webhook replay my-shop` sends it again, with ' +
      'another day of tries. Events for a name that is not public are parked at once. Sent and parked events ' +
      'are deleted after 30 days, which also limits `--since`.',
  ),
  text(
    'An address that answered 410 stays switched off until `ahwa webhook on`. The audit log has the time, as ' +
      '`webhook.switched_off` without a staff member. Changes that happen while an address is off are not sent ' +
      'to it later. Its parked events are sent by `ahwa webhook replay` when it is on.',
  ),
  text(
    'The events of one order are sent to an address in order, each after the previous one was delivered or ' +
      'parked. Events of different orders do not wait for each other. Each server process sends at most two ' +
      'events to an address at a time. After five failures in a row the circuit of an address opens: it is ' +
      'tried with a single event about once a minute until it responds; then all waiting events are sent. If no ' +
      'event was delivered for a whole day, the events that have waited for a day are parked.',
  ),
];

export const webhookBlocks = (): Block[] => [...events(), ...tryingOut(), ...receiving()];

/** `docs/webhooks.md`. */
export const webhookReference = (): string => markdown(webhookBlocks());
