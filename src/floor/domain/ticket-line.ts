/** Lines of a ticket: priced when their round is fired, then divided by units without a new price (Decisions 12). */
import { LANGUAGES, type Translations } from '../../kernel/names.ts';
import {
  inMainLanguage,
  optionNames,
  timesName,
  type FrozenLine,
  type Reading,
  type StockTaken,
} from '../../pricing/domain/frozen-cart.ts';

/** Of a sum over `from` equal units, the part of `to` of them. */
const scaled = (sum: number, to: number, from: number): number => (sum / from) * to;

/** The line, which is no combo, with fewer units, before deals: units of a line are equal, so its sums divide exactly. */
export const ofUnits = (line: FrozenLine, units: number): FrozenLine => ({
  ...line,
  quantity: units,
  line_total: scaled(line.line_total, units, line.quantity),
});

/** What was ordered, of so many units. */
export const inputOfUnits = (input: unknown, units: number): unknown => ({
  ...(input as Record<string, unknown>),
  quantity: units,
});

/** What was ordered, without the words of the guest on it and on its parts. */
export const withoutNotes = <Input>(input: Input): Input =>
  JSON.parse(JSON.stringify(input, (key, value: unknown) => (key === 'notes' ? null : value))) as Input;

/** Counted stock of the units. */
export const stockOfUnits = (
  stock: readonly StockTaken[],
  units: number,
  quantity: number,
): readonly StockTaken[] => stock.map(({ id, units: all }) => ({ id, units: scaled(all, units, quantity) }));

/** What the line is made with, in words of the shop: add-ons, optionals, picks of a combo with theirs. */
export const modifiersOf = (line: FrozenLine, read: Reading = inMainLanguage): readonly string[] => [
  ...optionNames(line, read),
  ...(line.combo?.parts ?? []).map((part) => {
    const unitQuantity = part.quantity / line.quantity;
    const name = timesName(read(part.name, part.name_translations), unitQuantity);
    const options = optionNames(part, read);
    const size = part.size_label === null ? '' : ` ${read(part.size_label, part.size_translations)}`;
    return `${name}${size}${options.length === 0 ? '' : ` (${options.join(', ')})`}`;
  }),
];

/** Each of `modifiersOf` in the languages in which it reads otherwise. */
export const modifierTranslations = (line: FrozenLine): readonly Translations[] => {
  const inLanguages = LANGUAGES.map((language) => ({
    language,
    texts: modifiersOf(line, (name, translations) => translations?.[language] ?? name),
  }));
  return modifiersOf(line).map((main, place) =>
    Object.fromEntries(
      inLanguages.flatMap(({ language, texts }) => {
        const text = texts[place] ?? main;
        return text === main ? [] : [[language, text]];
      }),
    ),
  );
};
