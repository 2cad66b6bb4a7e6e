/** Who reads the page: the language, and the digits of its figures. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from '../../../kernel/names.ts';
import type { Digits } from '../../../shops/domain/shop.ts';

export interface Reader {
  readonly language: Language;
  /** Of Arabic figures; English has 0 to 9. */
  readonly digits: Digits;
}

export const ReaderContext = createContext<Reader>({ language: 'ar', digits: 'latn' });

export const useReader = (): Reader => useContext(ReaderContext);

/** The messages of a compiled catalogue in the reader's language. */
export const useMessages = <Arabic, English>(catalogue: {
  readonly ar: Arabic;
  readonly en: English;
}): Arabic | English => catalogue[useReader().language];
