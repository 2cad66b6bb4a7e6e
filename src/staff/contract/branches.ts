/** The branches of a signed-in person. */
import Type from 'typebox';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import { Text, TranslationsMap, UuidText } from '../../platform/contract/scalars.ts';
import { BRANCH, common } from './sign-in.ts';

export const listOwnBranches = restricted(
  { by: 'staff', permission: null },
  endpoint({
    ...common,
    id: 'listOwnBranches',
    method: 'GET',
    path: '/staff/branches',
    summary: 'The branches one works at, by name',
    description: 'Branches that are switched off or archived are left out.',
    params: {},
    reply: Type.Array(
      Type.Object({
        id: UuidText(),
        name: Text(),
        name_translations: TranslationsMap,
        code: Text({ description: "The branch's short code, as in references.", examples: ['ZML'] }),
        timezone: Text({ description: 'Its IANA time zone.', examples: ['Africa/Cairo'] }),
      }),
    ),
    refusals: [],
    examples: {
      'one street branch': {
        reply: [
          {
            ...{ id: BRANCH, name: 'الزمالك', name_translations: { en: 'Zamalek' } },
            ...{ code: 'ZML', timezone: 'Africa/Cairo' },
          },
        ],
      },
    },
  }),
);
