/**
 * The token with which a phone authorizes itself for one pass. It is derived, not stored, and ends with the member token
 * that the pass was loaded by.
 */
import type { App } from '../../../platform/app/app.ts';
import type { CardFace } from '../../domain/card-face.ts';

const PURPOSE = 'wallet pass';

type PassKey = Pick<CardFace, 'cardId' | 'generation'>;

const textOf = ({ cardId, generation }: PassKey): string => `${cardId}\n${generation}`;

export const passTokenOf = ({ tokens }: Pick<App, 'tokens'>, key: PassKey): string =>
  tokens.keyedHash(PURPOSE, textOf(key)).toString('base64url');

const AUTHORIZATION = /^ApplePass +([A-Za-z0-9_-]{16,128})$/i;

/** The token in an `Authorization` line, under any of the keys; null: it is not the card's. */
export const authorizedToken = (
  { tokens }: Pick<App, 'tokens'>,
  key: PassKey,
  authorization: string | undefined,
): string | null => {
  const token = AUTHORIZATION.exec(authorization ?? '')?.[1];
  if (token === undefined) return null;
  return tokens.isKeyedHash(Buffer.from(token, 'base64url'), PURPOSE, textOf(key)) ? token : null;
};
