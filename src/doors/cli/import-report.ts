/** What an import did, or would do, in lines for the person who imports. */
import type { ImportReport, PriceDifference, ThingChange } from '../../shopfile/app/shopfile.ts';
import { grouped } from '../../kernel/grouped.ts';
import { inPounds } from '../../kernel/money.ts';

const amount = (piastres: number | null): string => (piastres === null ? 'none' : inPounds(piastres));

/** `وسط pickup at Zamalek`: what a price is of. */
const priceOf = ({ size, channel, branch }: PriceDifference): string =>
  [size, channel ?? '', branch === null ? '' : `at ${branch}`].filter((word) => word !== '').join(' ');

const withLabel = (label: string, text: string): string => (label === '' ? text : `${label} ${text}`);

const isPlace = (aspect: string): boolean => /^order\b/.test(aspect);

/** Whether a thing only stands elsewhere in its list. */
const isMoved = ({ op, aspects }: ThingChange): boolean =>
  op === 'updated' && aspects.length > 0 && aspects.every(isPlace);

/** One thing, with what it costs when it is new, and every price that changes. */
const thingLines = (thing: ThingChange, prices: readonly PriceDifference[], indent: string): string[] => {
  const { op, kind, name, renamedFrom } = thing;
  const head = `${indent}${op} ${kind} ${renamedFrom === undefined ? name : `${renamedFrom} → ${name}`}`;
  if (op !== 'updated') {
    const own = prices.map((price) => withLabel(priceOf(price), amount(price.after)));
    return [own.length === 0 ? head : `${head}: ${own.join(', ')}`];
  }
  const aspects = thing.aspects.filter((aspect) => !isPlace(aspect));
  return [
    aspects.length === 0 ? head : `${head}: ${aspects.join(', ')}`,
    ...prices.map((price) => {
      const change = `${amount(price.before)} → ${amount(price.after)}`;
      return `${indent}  ${withLabel(priceOf(price), change)}`;
    }),
  ];
};

const counted = (things: readonly ThingChange[]): string =>
  [...grouped(things, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`).join(', ');

/** Everything that changes: what is of no category first, then category by category; places in one line. */
const changeLines = ({ things, details }: ImportReport): string[] => {
  const moved = things.filter(isMoved);
  const byCategory = grouped(
    things.filter((thing) => !isMoved(thing)),
    ({ id }) => details.get(id)?.category ?? null,
  );
  const linesOf = (all: readonly ThingChange[], indent: string): string[] =>
    all.flatMap((thing) => thingLines(thing, details.get(thing.id)?.prices ?? [], indent));
  return [
    ...linesOf(byCategory.get(null) ?? [], '  '),
    ...[...byCategory].flatMap(([category, all]) =>
      category === null ? [] : [`  ${category}`, ...linesOf(all, '    ')],
    ),
    ...(moved.length === 0 ? [] : [`  only their places in the lists change: ${counted(moved)}`]),
    ...(things.length === 0 ? ['  nothing changes'] : []),
  ];
};

const MOST_WARNINGS = 20;

/** What looks like a slip: it stops nothing. */
export const warningLines = ({ slug, warnings }: ImportReport): string[] => {
  const more = warnings.length - MOST_WARNINGS;
  return [
    ...warnings.slice(0, MOST_WARNINGS).map((text) => `warning: ${slug}: ${text}`),
    ...(more > 0 ? [`warning: ${slug}: and ${more} more of the kind`] : []),
  ];
};

/** What an import did to one shop; thing by thing, with old and new prices, on a dry run. */
export const describeReport = (report: ImportReport, dryRun: boolean): string => {
  const { slug, created, updated, archived, unchanged, stateKept, notes } = report;
  const counts = `${created} new, ${updated} changed, ${archived} archived, ${unchanged} as before`;
  return [
    `${slug}: ${counts}${dryRun ? ' (nothing was written)' : ''}`,
    ...(dryRun ? changeLines(report) : []),
    ...notes.map((note) => `  ${note}`),
    ...(stateKept === 0 ? [] : [`  ${stateKept} running states were left as they are; --state sets them`]),
  ].join('\n');
};
