import type { Answer, CallOutcome, CachedBytes } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import type { Tool } from '../../platform/contract/tool.ts';
import {
  listingOf,
  tools,
  type ArgsOf,
  type ResultOf,
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
import type { ToolAnswer } from './shorten.ts';

/** Throws `Unanswerable` to refuse in its own words. */
export type ToolHandler<T extends Tool> = (
  app: App,
) => (args: ArgsOf<T>) => Promise<Answer<ToolAnswer<ResultOf<T>>>>;

/** Answers about a shop are cached like those of the API. */
const HANDLERS = {
  get_shop: shopDetails,
  get_menu: shopMenu,
  get_booking_slots: bookingSlots,
  track_order: orderStatus,
} as const satisfies { readonly [N in Exclude<ToolName, 'about_ahwa'>]: ToolHandler<ToolOf<N>> };

const resultOf = ({ structured, text }: ToolAnswer<unknown>): object => ({
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
  answer: (args: Readonly<Record<string, unknown>>, cachedBytes: CachedBytes) => Promise<Buffer | string>,
): MountedTool => ({
  listing: listingOf(tools[name]),
  call: async (given, { cachedBytes, onToolCall }) => {
    const read = readArguments(tools[name], given, clock.now());
    try {
      if ('faults' in read) throw new Unanswerable(read.faults.join('\n'));
      const result = await answer(read.args, cachedBytes);
      onToolCall(name, 'answered');
      return result;
    } catch (thrown) {
      onToolCall(name, outcomeOf(thrown), thrown);
      return refusalOf(refusalText(thrown));
    }
  },
});

/** In the order of `tools/list`. */
export const mountTools = (app: App): readonly MountedTool[] => {
  const cachedTool = (name: keyof typeof HANDLERS): MountedTool => {
    // The declaration that parses the arguments also types them.
    const run = HANDLERS[name](app) as (args: unknown) => Promise<Answer<ToolAnswer<unknown>>>;
    return mount(app, name, (args, ready) =>
      ready(JSON.stringify([name, args]), async () => {
        const answer = await run(args);
        return { ...answer, body: resultOf(answer.body) };
      }),
    );
  };
  const about = JSON.stringify(resultOf(aboutAhwa(app)));
  const mounted: Readonly<Record<ToolName, MountedTool>> = {
    get_shop: cachedTool('get_shop'),
    get_menu: cachedTool('get_menu'),
    get_booking_slots: cachedTool('get_booking_slots'),
    track_order: cachedTool('track_order'),
    about_ahwa: mount(app, 'about_ahwa', () => Promise.resolve(about)),
  };
  return Object.values(mounted);
};
