import type { ShopFile } from '../../contract/shopfile.ts';
import type { Row } from '../../store/tables.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { toLocalText } from '../localized.ts';
import { liveBySort, ifPresent, ifNotEmpty, type WriteContext } from './context.ts';
import { writePool } from './pool.ts';

type Loyalty = NonNullable<ShopFile['loyalty']>;

/** Inverse of `programName` in `read/loyalty.ts`. */
const programName = (
  { program_name, program_name_ar }: Row<'loyalty_program'>,
  main: string,
): Record<string, string> => {
  if (program_name_ar === null) return { [main]: program_name };
  if (main !== 'ar') return { [main]: program_name, ar: program_name_ar };
  return program_name === program_name_ar
    ? { ar: program_name_ar }
    : { ar: program_name_ar, en: program_name };
};

const writeRewards = (context: WriteContext): NonNullable<Loyalty['rewards']> =>
  liveBySort(context.rows.loyalty_reward).map((reward) => ({
    id: reward.id,
    name: toLocalText(reward.name, reward.name_translations, context.main),
    ...fieldsFrom('loyalty_reward', reward),
    ...ifNotEmpty('items', writePool(context, context.details.rewardItems.get(reward.id))),
  }));

/** A part of the programme with a switch; null where it says what its absence says. */
const writeSwitched = <F extends object>(enabled: boolean, fields: F): (F & { enabled: boolean }) | null =>
  enabled || Object.keys(fields).length > 0 ? { enabled, ...fields } : null;

export const writeLoyalty = (context: WriteContext): Loyalty | null => {
  const { rows, main } = context;
  const program = rows.loyalty_program[0];
  if (program === undefined) return null;
  const { birthday, win_back: winBack, ...fields } = fieldsFrom('loyalty_program', program);
  const mode: Loyalty['mode'] = program.mode === 'points' ? 'points' : 'visits';
  const gift = { ...ifPresent('amount', program.birthday_reward_amount), ...birthday };
  return inContractOrder('loyalty_program', {
    ...fields,
    mode,
    program_name: programName(program, main),
    ...ifPresent('birthday', writeSwitched(program.birthday_enabled, gift)),
    ...ifPresent('win_back', writeSwitched(program.win_back_enabled, winBack ?? {})),
    ...ifNotEmpty('visit_items', writePool(context, rows.loyalty_visit_item)),
    ...ifNotEmpty('rewards', writeRewards(context)),
  });
};
