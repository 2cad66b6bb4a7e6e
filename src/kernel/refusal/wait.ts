/** A wait in words: seconds below two minutes, then minutes, then hours, each rounded up. */

const UNITS = [
  { name: 'second', seconds: 1, below: 120 },
  { name: 'minute', seconds: 60, below: 120 * 60 },
  { name: 'hour', seconds: 3600, below: Infinity },
] as const;

type Forms = Readonly<Record<'one' | 'two' | 'few' | 'many', string>>;

/** As after «بعد»; `many` also of what Arabic calls other. */
const ARABIC: Readonly<Record<(typeof UNITS)[number]['name'], Forms>> = {
  second: { one: 'ثانية واحدة', two: 'ثانيتين', few: 'ثوانٍ', many: 'ثانية' },
  minute: { one: 'دقيقة واحدة', two: 'دقيقتين', few: 'دقائق', many: 'دقيقة' },
  hour: { one: 'ساعة واحدة', two: 'ساعتين', few: 'ساعات', many: 'ساعة' },
};

const arabicRules = new Intl.PluralRules('ar');

const arabic = (forms: Forms, count: number): string => {
  const rule = arabicRules.select(count);
  if (rule === 'one' || rule === 'two') return forms[rule];
  return `${count} ${rule === 'few' ? forms.few : forms.many}`;
};

export const waitText = (language: 'en' | 'ar', seconds: number): string => {
  const unit = UNITS.find(({ below }) => seconds < below) ?? UNITS[2];
  const count = Math.ceil(seconds / unit.seconds);
  if (language === 'ar') return arabic(ARABIC[unit.name], count);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
};
