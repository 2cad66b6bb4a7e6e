/** People who work in a test's shop, signed in over HTTP. */
import { setPassword } from '../../src/staff/app/staff.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { SLUG } from './cafe.ts';
import { post } from './guests.ts';
import type { Reply, World } from './world.ts';

type Member = NonNullable<ShopFile['staff']>[number];

const PASSWORD = 'a password of the tests';

const addressOf = (key: string, slug: string): string => `${key}@${slug}.example`;

/** Someone of a shop file's staff, with an e-mail address, known by their key. */
export const aMember = (
  key: string,
  role: Member['role'],
  more: Partial<Member> = {},
  slug = SLUG,
): Member => ({
  key,
  name: key,
  role,
  email: addressOf(key, slug),
  ...more,
});

/** The header line of someone who is signed in. */
export type SignedIn = Readonly<Record<'authorization', string>>;

export const signIn = async (world: World, key: string, slug = SLUG): Promise<SignedIn> => {
  const email = addressOf(key, slug);
  await setPassword(world.app, slug, email, PASSWORD);
  const { status, body, text } = await post(world, '/staff/sign-in', { email, password: PASSWORD });
  if (status !== 200) throw new Error(`${email} is not signed in: ${status} ${text}`);
  return { authorization: `Bearer ${(body as { token: string }).token}` };
};

/** The 200 of a POST of someone signed in. */
export const asked = async (
  world: World,
  who: SignedIn,
  address: string,
  body: unknown,
): Promise<unknown> => {
  const reply: Reply = await post(world, address, body, who);
  if (reply.status !== 200) throw new Error(`${address} answered ${reply.status}: ${reply.text}`);
  return reply.body;
};
