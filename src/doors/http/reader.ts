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

/** Set by pages of a chosen language. Behind https no other host of the domain can set it (RFC 6265bis, 4.1.3.2). */
export const languageCookie = (isHttps: boolean): string => (isHttps ? '__Host-lang' : 'lang');

const REMEMBERED = {
  http: /(?:^|;\s*)lang=(ar|en)(?:;|$)/,
  https: /(?:^|;\s*)__Host-lang=(ar|en)(?:;|$)/,
};

export interface Readers {
  /** The remembered language, else the preferred one; null: the shop's own. */
  languageOf(request: IncomingMessage): Language | null;
  /** Under which a page is cached: the address and what it depends on besides. */
  pageAddress(request: IncomingMessage): string;
}

export const createReaders = (isHttps: boolean): Readers => {
  const remembered = isHttps ? REMEMBERED.https : REMEMBERED.http;
  const languageOf: Readers['languageOf'] = ({ headers }) => {
    const language = remembered.exec(headers.cookie ?? '')?.[1];
    if (language !== undefined) return language === 'ar' ? 'ar' : 'en';
    return preferredLanguage(headers['accept-language']);
  };
  return {
    languageOf,
    pageAddress: (request) => `${languageOf(request) ?? '-'} ${request.url ?? ''}`,
  };
};

/** The language that the address names. */
export const chosenLanguage = ({ url = '' }: IncomingMessage): Language | undefined => {
  const chosen = /[?&]lang=(ar|en)(?:&|$)/.exec(url)?.[1];
  return chosen === undefined ? undefined : chosen === 'ar' ? 'ar' : 'en';
};
