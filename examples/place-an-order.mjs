// Orders a coffee the way a page of yours would: menu, quote, one-time code, order, tracking.
//
//   node examples/place-an-order.mjs [address] [slug] [phone]
//
// With the default sender the code is printed by the server that `npm start` runs: type it in here.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';

const [address = 'http://localhost:8080', slug = 'beit-el-bunn', phone = '0100 123 4567'] =
  process.argv.slice(2);

const stop = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const ask = async (method, path, body, headers = {}) => {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => stop(`No server answers at ${address}: start one with "npm start", or name its address.`));
  const reply = await response.json();
  if (reply.code === 'CHANNEL_CLOSED' && method === 'GET') return { closed: reply.vars };
  if (!response.ok) stop(`${method} ${path}: ${response.status} ${reply.code ?? ''} ${reply.error}`);
  return reply;
};

const pounds = (piastres) => `${(piastres / 100).toFixed(2)} EGP`;

// A branch that takes orders to pick up, best one that does right now.
const { brand } = await ask('GET', `/public/orgs/links?slug=${slug}`);
const branches = await ask('GET', `/public/branches?org_id=${brand.org_id}`);
const branch = branches.find((each) => each.pickup_open_now) ?? branches.find((each) => each.pickup_enabled);
if (branch === undefined) stop('No branch of this shop takes orders to pick up.');

// While it is closed, the refusal says when it opens, and `preview=true` reads the menu all the same.
const menuAddress = `/public/branches/${branch.id}/menu?channel=pickup`;
const menu = await ask('GET', menuAddress);
if (menu.closed !== undefined) {
  const { opens_at } = menu.closed;
  const { items } = await ask('GET', `${menuAddress}&preview=true`);
  const when =
    opens_at === undefined ? 'and has no opening time' : `until ${opens_at} (UTC): order from then on`;
  stop(
    `${branch.name} is closed ${when}. Its menu can be read now, with preview=true: ${items.length} items.`,
  );
}

// The first thing on its menu that needs no choice.
const item = menu.items.find(
  (each) => each.kind === 'item' && each.modifier_groups.every((group) => !group.is_required),
);
const items = [{ menu_item_id: item.id, quantity: 2 }];
const quote = await ask('POST', `/public/branches/${branch.id}/cart-quote`, { channel: 'pickup', items });
console.log(`2 × ${item.name} at ${branch.name}: ${pounds(quote.order_total)}`);

// Proof of the phone, where the branch asks for one.
let device_token;
if (branch.otp_required) {
  await ask('POST', '/public/otp/request', { phone });
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const code = await terminal.question('The code that was sent: ');
  terminal.close();
  ({ device_token } = await ask('POST', '/public/otp/verify', { phone, code }));
}

// The key makes a second try safe: the same order, once.
const order = {
  ...{ branch_id: branch.id, channel: 'pickup', customer_name: 'Mona', customer_phone: phone },
  ...{ payment_method_hint: 'cash', device_token, items, quoted_total: quote.order_total },
};
const key = { 'idempotency-key': randomUUID() };
const taken = await ask('POST', '/public/delivery-orders', order, key);
const again = await ask('POST', '/public/delivery-orders', order, key);
console.log(`Order ${taken.delivery_ref}, ${pounds(taken.total)}${again.id === taken.id ? '' : ' (twice!)'}`);

const tracked = await ask('GET', `/public/delivery-orders/${taken.id}/track`);
console.log(`It is ${tracked.status}; about ${tracked.estimated_prep_minutes} minutes.`);
