/** The production tools: each declaration of contract/tools.ts with the function that answers it. */
import type { Answer, CallOutcome, ReadyBytes } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import {
  listingOf,
  tools,
  type ArgsOf,
  type ResultOf,
  type Tool,
  type ToolName,
  type ToolOf,
} from '../../service/contract/tools.ts';
import { isUnavailable } from '../../kernel/refusal.ts';
import { aboutAhwa } from './about.ts';
import { readArguments } from './arguments.ts';
import { bookingSlots } from './booking.ts';
import { shopMenu } from './menu.ts';
import { orderStatus } from './order.ts';
import { refusalText, Unanswerable } from './refuse.ts';
import type { MountedTool } from './server.ts';
import { shopDetails } from './shop.ts';
import type { Told } from './shorten.ts';

/** A tool's function: refuses by throwing `Unanswerable`, in words, or what the app throws. */
export type Answering<T extends Tool> = (app: App) => (args: ArgsOf<T>) => Promise<Answer<Told<ResultOf<T>>>>;

/** Those whose answers are about a shop, and are kept like the API's own. */
const ANSWERING = {
  get_shop: shopDetails,
  get_menu: shopMenu,
  get_booking_slots: bookingSlots,
  track_order: orderStatus,
} as const satisfies { readonly [N in Exclude<ToolName, 'about_ahwa'>]: Answering<ToolOf<N>> };

const resultOf = ({ structured, text }: Told<unknown>): object => ({
  content: [{ type: 'text', text }],
  structuredContent: structured,
});

const refusalOf = (text: string): string =>
  JSON.stringify({ content: [{ type: 'text', text }], isError: true });

const outcomeOf = (thrown: unknown): CallOutcome => {
  if (thrown instanceof Unanswerable) return 'refused';
  return isUnavailable(thrown) ? 'unavailable' : 'failed';
};

const mount = (
  { clock }: App,
  name: ToolName,
  answer: (args: Readonly<Record<string, unknown>>, ready: ReadyBytes) => Promise<Buffer | string>,
): MountedTool => ({
  listing: listingOf(tools[name]),
  call: async (given, { ready, called }) => {
    const read = readArguments(tools[name], given, clock.now());
    try {
      if ('faults' in read) throw new Unanswerable(read.faults.join('\n'));
      const result = await answer(read.args, ready);
      called(name, 'answered');
      return result;
    } catch (thrown) {
      called(name, outcomeOf(thrown), thrown);
      return refusalOf(refusalText(thrown));
    }
  },
});

/** All five, in the order of the list. */
export const mountTools = (app: App): readonly MountedTool[] => {
  const kept = (name: keyof typeof ANSWERING): MountedTool => {
    // The declaration that reads the arguments is the one that types the function's.
    const run = ANSWERING[name](app) as (args: unknown) => Promise<Answer<Told<unknown>>>;
    return mount(app, name, (args, ready) =>
      ready(JSON.stringify([name, args]), async () => {
        const answer = await run(args);
        return { ...answer, body: resultOf(answer.body) };
      }),
    );
  };
  const about = JSON.stringify(resultOf(aboutAhwa(app)));
  const mounted: Readonly<Record<ToolName, MountedTool>> = {
    get_shop: kept('get_shop'),
    get_menu: kept('get_menu'),
    get_booking_slots: kept('get_booking_slots'),
    track_order: kept('track_order'),
    about_ahwa: mount(app, 'about_ahwa', () => Promise.resolve(about)),
  };
  return Object.values(mounted);
};
