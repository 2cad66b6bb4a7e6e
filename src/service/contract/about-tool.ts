import Type, { type Static } from 'typebox';
import { currency, listOf, pounds, text, tool } from '../../platform/contract/tool.ts';

const aboutAhwa = Type.Object({
  name: text('Of the service'),
  description: text('What the service is'),
  plans: listOf(
    Type.Object({ name: text('Of the plan'), monthly_egp_per_branch: pounds('A month, for each branch') }),
    'What shops pay; none where prices are to be asked for',
  ),
  currency,
  contact: text('How to reach sales'),
  links: Type.Unsafe<Readonly<Record<'website' | 'docs' | 'openapi' | 'mcp', string>>>({
    type: 'object',
    description: 'Addresses: `website`, `docs` and `openapi` of the public API, `mcp` of this tool server',
  }),
});

export type AboutAhwa = Static<typeof aboutAhwa>;

export const tools = {
  about_ahwa: tool({
    name: 'about_ahwa',
    title: 'About the service',
    description: 'What this service is, its plans and prices, how to reach sales.',
    args: {},
    result: aboutAhwa,
  }),
};
