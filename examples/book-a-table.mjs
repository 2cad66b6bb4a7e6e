// Books a table the way a page of yours would: booking times, a hold, one-time code, booking, another time, cancellation.
//
//   node examples/book-a-table.mjs [address] [slug] [phone]
//
// With the default sender the code is printed by the server that `npm start` runs: type it in here.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';

const [address = 'http://localhost:8080', slug = 'layaly', phone = '0100 123 4567'] = process.argv.slice(2);
const PARTY = 2;

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
  if (!response.ok) stop(`${method} ${path}: ${response.status} ${reply.code ?? ''} ${reply.error}`);
  return reply;
};

// A branch that takes bookings, and the times that are free on the first day after today on which it opens.
const { brand } = await ask('GET', `/public/orgs/links?slug=${slug}`);
const [branch] = await ask('GET', `/public/booking-branches?org_id=${brand.org_id}`);
if (branch === undefined) stop('No branch of this shop takes bookings.');
const info = await ask('GET', `/public/branches/${branch.id}/booking-info`);
const dayAfter = (days) => new Date(Date.parse(info.today) + days * 86_400_000).toISOString().slice(0, 10);
const days = Array.from({ length: info.horizon_days }, (_, at) => dayAfter(at + 1));
const date = days.find((each) => !info.closed_dates.includes(each));
if (date === undefined)
  stop(`${branch.name} is closed up to ${days.at(-1) ?? info.today}: later days cannot be booked yet.`);
// Tables are booked at any hour, also while the shop is closed.
if (date !== days[0])
  console.log(`${branch.name} is closed on ${days[0]}: the next day with times is ${date}.`);
const { slots } = await ask(
  'GET',
  `/public/branches/${branch.id}/booking-slots?date=${date}&party_size=${PARTY}`,
);
const [first, second] = slots.filter((slot) => slot.available);
if (second === undefined) stop(`Hardly a table is free on ${date}: ask for another day.`);

// Times are told on the branch's clock.
const clock = new Intl.DateTimeFormat('en', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: info.timezone,
});
const told = ({ starts_at }) => clock.format(new Date(starts_at));

// Nobody else takes the start while the guest types.
const hold = await ask('POST', `/public/branches/${branch.id}/booking-holds`, {
  ...{ starts_at: first.starts_at, party_size: PARTY },
});
console.log(`Kept for five minutes: ${told(hold)}, at ${branch.name}`);

// Proof of the phone, where the branch asks for one.
let device_token;
if (info.require_otp) {
  await ask('POST', '/public/otp/request', { phone });
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const code = await terminal.question('The code that was sent: ');
  terminal.close();
  ({ device_token } = await ask('POST', '/public/otp/verify', { phone, code }));
}

// The key makes a second try safe: the same booking, once.
const wanted = {
  ...{ branch_id: branch.id, starts_at: first.starts_at, party_size: PARTY, guest_name: 'Mona', phone },
  ...{ device_token, hold_token: hold.hold_token },
};
const key = { 'idempotency-key': randomUUID() };
const booking = await ask('POST', '/public/bookings', wanted, key);
const again = await ask('POST', '/public/bookings', wanted, key);
console.log(`Booked${again.id === booking.id ? '' : ' (twice!)'}: ${told(booking)}, ${booking.status}`);

// Whoever holds the token may change and cancel the booking.
const link = `/public/bookings/${booking.manage_token}`;
console.log(`Moved: ${told(await ask('PATCH', link, { starts_at: second.starts_at }))}`);
console.log(`It is ${(await ask('POST', `${link}/cancel`)).status}.`);
