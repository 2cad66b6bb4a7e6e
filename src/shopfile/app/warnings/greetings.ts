/** Warnings about greetings that the shop wrote in one language alone. */
import type { Row, ShopRows } from '../../store/tables.ts';
import type { Warning } from './warning.ts';

type Programme = Row<'loyalty_program'>;

const GREETINGS = ['birthday', 'win_back'] as const;
const LANGUAGES = { ar: 'Arabic', en: 'English' } as const;

const isOn = (programme: Programme, kind: (typeof GREETINGS)[number]): boolean =>
  programme.enabled && programme[`${kind}_enabled`];

/** Without any words of the shop, the greeting has ours in both. */
export const greetingWarnings = (rows: ShopRows): Warning[] =>
  rows.loyalty_program.flatMap((programme) =>
    GREETINGS.filter((kind) => isOn(programme, kind)).flatMap((kind): Warning[] => {
      const { ar, en } = { ar: programme[`${kind}_message_ar`], en: programme[`${kind}_message_en`] };
      if ((ar === null) === (en === null)) return [];
      const missing = LANGUAGES[ar === null ? 'ar' : 'en'];
      return [
        {
          key: `greeting ${kind} ${missing}`,
          text: `the message of loyalty.${kind} has no ${missing}: guests who read ${missing} get words of ours`,
        },
      ];
    }),
  );
