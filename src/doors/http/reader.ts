/** What a request says about the reader of a page. */
import type { IncomingMessage } from 'node:http';
import type { Language } from '../../kernel/names.ts';
import { memoized } from './cache/memoized.ts';
import { preferencesOf } from './content-negotiation.ts';
import { preferredLanguage } from './refuse.ts';

const prefersHtml = memoized((accept: string): boolean => {
  const weights = new Map(preferencesOf(accept).map(({ name, weight }) => [name, weight]));
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
});

/** Whether HTML is named, as by browsers, and not liked less than JSON. */
export const wantsPage = (accept: string | undefined): boolean => accept !== undefined && prefersHtml(accept);

/** `lang` is set by pages of a chosen language. */
const languageIn = /(?:^|;\s*)(?:__Host-)?lang=(ar|en)(?:;|$)/;

/** The remembered language, else the preferred one; null: the shop's own. */
export const languageOfReader = ({ headers }: IncomingMessage): Language | null => {
  const remembered = languageIn.exec(headers.cookie ?? '')?.[1];
  if (remembered !== undefined) return remembered === 'ar' ? 'ar' : 'en';
  return preferredLanguage(headers['accept-language']);
};

/** The language that the address names. */
export const chosenLanguage = ({ url = '' }: IncomingMessage): Language | undefined => {
  const chosen = /[?&]lang=(ar|en)(?:&|$)/.exec(url)?.[1];
  return chosen === undefined ? undefined : chosen === 'ar' ? 'ar' : 'en';
};

/** Under which a page is cached: the address and what it depends on besides. */
export const pageAddress = (request: IncomingMessage): string =>
  `${languageOfReader(request) ?? '-'} ${request.url ?? ''}`;
