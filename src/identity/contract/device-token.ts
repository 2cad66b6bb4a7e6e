import { optional } from '../../platform/contract/endpoint.ts';
import { Text, type Scalar } from '../../platform/contract/scalars.ts';

const tokenScalar: Scalar<string> = {
  schema: Text({ examples: ['dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk'] }),
  read: (text) => (text.length <= 200 ? text : null),
  expected: { en: 'a device token', ar: 'رمز جهاز' },
};

/** The token names the phone; URLs never do (Decisions 2). */
export const proofHeader = (description: string) => ({
  'x-device-token': optional(tokenScalar, description),
});
