/** Reads the loyalty programme, whose pools name items of the menu. */
import type { ShopFile } from '../../contract/shopfile.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { checkLanguage } from '../entity-index.ts';
import { columnsFrom } from '../fields.ts';
import { languagesOf, nameColumns, type LocalText } from '../localized.ts';
import type { ReadContext } from './context.ts';
import { readPool } from './pool.ts';

/** A program's name has one Arabic column and one for all other languages (Shapes, CardBrand). */
const programName = (name: LocalText, { main, faults }: ReadContext) => {
  const texts = languagesOf(name, main);
  const everybody = main === 'ar' ? 'en' : main;
  for (const language of Object.keys(texts)) {
    if (language !== 'ar' && language !== everybody && language !== main)
      faults.add(`loyalty.program_name.${language}`, `cannot be kept: only ar and ${everybody} can`);
  }
  return {
    program_name: texts[everybody] ?? texts[main] ?? '',
    program_name_ar: texts['ar'] ?? null,
  };
};

type LoyaltyEntry = NonNullable<ShopFile['loyalty']>;

const checkWinBack = ({ faults }: ReadContext, { win_back: winBack }: LoyaltyEntry): void => {
  if (winBack?.enabled === true && winBack.after_days === undefined)
    faults.rule('loyalty.win_back', 'after_days', 'is missing: it says how long a guest has been away');
};

const GREETINGS = ['birthday', 'win_back'] as const;

const checkPlaceholders = ({ faults }: ReadContext, loyalty: LoyaltyEntry): void => {
  for (const kind of GREETINGS)
    for (const [language, words] of Object.entries(loyalty[kind]?.message ?? {}))
      if (/[{}]/u.test(words.replaceAll('{name}', '')))
        faults.add(
          `loyalty.${kind}.message.${language}`,
          'has braces other than {name}, which is the one placeholder',
        );
};

export const readLoyalty = (context: ReadContext): void => {
  const { file, main, rows, faults, entityIndex } = context;
  const loyalty: LoyaltyEntry | undefined = file.loyalty;
  if (loyalty === undefined) return;
  checkLanguage(loyalty.program_name, 'loyalty', 'program_name', main, faults);
  rows.loyalty_program.push({
    ...columnsFrom('loyalty_program', loyalty),
    mode: loyalty.mode,
    ...programName(loyalty.program_name, context),
    birthday_enabled: loyalty.birthday?.enabled ?? false,
    birthday_reward_amount: loyalty.birthday?.amount ?? null,
    win_back_enabled: loyalty.win_back?.enabled ?? false,
  });
  checkWinBack(context, loyalty);
  checkPlaceholders(context, loyalty);
  rows.loyalty_visit_item.push(...readPool(context, loyalty.visit_items ?? [], 'loyalty.visit_items'));
  for (const [sort, reward] of (loyalty.rewards ?? []).entries()) {
    const path = entryPath('loyalty.rewards', sort);
    const id = entityIndex.idAt(path);
    checkLanguage(reward.name, path, 'name', main, faults);
    rows.loyalty_reward.push({
      id,
      ...nameColumns(reward.name, main),
      ...columnsFrom('loyalty_reward', reward),
      sort,
      archived_at: null,
    });
    const items = readPool(context, reward.items ?? [], fieldPath(path, 'items'));
    rows.loyalty_reward_item.push(...items.map((row) => ({ reward_id: id, ...row })));
  }
};
