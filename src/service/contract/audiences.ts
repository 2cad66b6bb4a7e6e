export type Audience = 'public' | 'staff';

export interface AudienceTexts {
  readonly introduction: string;
  readonly openapi: string;
}

export const AUDIENCES: Readonly<Record<Audience, AudienceTexts>> = {
  public: {
    introduction:
      'The public side of cafés and restaurants: brand, links page, branches, menu, booking times, and online orders from ' +
      'the cart to the door. Money is an integer number of piastres (100 = 1.00 EGP); times are ISO 8601 in UTC. Every ' +
      'call names one shop. Fields may be added: ignore those you do not know. Keep answers as `Cache-Control` says and ' +
      'ask again with `If-None-Match`. AI assistants have tools at `/mcp`, to which `/llms.txt` is the guide.',
    openapi: '/openapi.json',
  },
  staff: {
    introduction:
      'What the staff of a shop do: orders, pauses, sold-out items. An owner signs in with e-mail and password; a device ' +
      'of the branch is paired once, and staff sign in on it with a PIN. Every change is in the audit log. Money is an ' +
      'integer number of piastres; times are ISO 8601 in UTC.',
    openapi: '/openapi-staff.json',
  },
};

/** The repository's documents use the default name. */
export const apiTitle = (service = 'Ahwa', audience: Audience = 'public'): string =>
  `${service} ${audience} API`;

export const TAGS: Readonly<Record<string, string>> = {
  Service: 'The service itself.',
  Shop: 'A shop, its links page and its branches.',
  Menu: 'What a branch sells, with the prices of one channel.',
  Booking: 'When a branch takes bookings.',
  Orders: 'Online orders: whether and for what fee a branch delivers, ordering, and what becomes of it.',
  Loyalty: 'Cards of guests: joining, the card, its balance and its ledger, and ordering again with it.',
  Tables: "What a table's QR code leads to.",
  Carts: 'What a cart costs, before anything is ordered.',
  Codes: 'One-time codes that prove a phone.',
  'Sign-in': 'Who works here, and on which device.',
  'Own account': 'Password, PIN and sessions of whoever is signed in.',
  'Second factors': 'Authenticator apps, passkeys and recovery codes of whoever is signed in.',
  Bookings: 'The bookings of a branch: the day, its tables, and what becomes of each.',
  Members: 'Members of the loyalty programme at the till.',
  Sales: 'Sales over the counter, and every sale of a branch: receipts and refunds.',
  Tills: 'Opened with a float, cash in and out, closed counted; their reports.',
  Tickets: 'Open bills: rounds, splitting, merging, paying.',
  Kitchen: 'What each station has to make, and what it has made.',
  Reports: 'What a branch has sold, for its owners: by day, item, hour and till.',
  Board: 'The orders of a branch, as they come and move.',
  Sync: 'For devices that go on selling without the server.',
  Sale: 'What a branch sells now: pauses and sold-out items.',
  People: "A person's data: handed out, or erased; and who did what.",
};
