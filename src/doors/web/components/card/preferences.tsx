/** In which language the shop writes to the member, and whether it greets. Each choice is saved at once. */
import { LANGUAGES, type Language } from '../../../../kernel/names.ts';
import { card as messages } from '../../messages/compiled/card.ts';
import { useMessages } from '../reader.ts';
import type { Card } from './shapes.ts';

export type Preferences = Pick<Card, 'locale' | 'marketing_opt_out'>;

const NAMES: Readonly<Record<Language, string>> = { ar: 'العربية', en: 'English' };

export interface PreferencesProps extends Preferences {
  /** False: the page answers to no tap yet. */
  readonly isAlive: boolean;
  /** What became of the last choice; null: none was made. */
  readonly said: string | null;
  readonly onChange: (change: Partial<Preferences>) => void;
}

export const PreferencesForm = (props: PreferencesProps) => {
  const { locale, marketing_opt_out: isOptedOut, isAlive, said, onChange } = props;
  const t = useMessages(messages);
  return (
    <section class="card preferences" aria-labelledby="preferences">
      <h2 id="preferences">{t.preferences}</h2>
      <fieldset disabled={!isAlive}>
        <legend>{t.messagesIn}</legend>
        {LANGUAGES.map((language) => (
          <label key={language} class="tick">
            <input
              type="radio"
              name="locale"
              value={language}
              checked={locale === language}
              onChange={() => onChange({ locale: language })}
            />
            <span lang={language}>{NAMES[language]}</span>
          </label>
        ))}
      </fieldset>
      <label class="tick">
        <input
          type="checkbox"
          name="greetings"
          checked={!isOptedOut}
          disabled={!isAlive}
          aria-describedby="greetings-hint"
          onChange={({ currentTarget }) => onChange({ marketing_opt_out: !currentTarget.checked })}
        />
        <span>{t.greetings}</span>
      </label>
      <p id="greetings-hint" class="muted small">
        {t.greetingsHint}
      </p>
      <p class="said small" role="status">
        {said}
      </p>
    </section>
  );
};
