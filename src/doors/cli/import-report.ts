import type { ImportReport, PriceDifference, EntityChange } from '../../shopfile/app/shopfile.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { inPounds } from '../../kernel/money.ts';

const amount = (piastres: number | null): string => (piastres === null ? 'none' : inPounds(piastres));

/** `وسط pickup at Zamalek`. */
const priceOf = ({ size, channel, branch }: PriceDifference): string =>
  [size, channel ?? '', branch === null ? '' : `at ${branch}`].filter((word) => word !== '').join(' ');

const withLabel = (label: string, text: string): string => (label === '' ? text : `${label} ${text}`);

const isPosition = (aspect: string): boolean => /^order\b/.test(aspect);

/** Whether only its position in a list changed. */
const isMoved = ({ op, aspects }: EntityChange): boolean =>
  op === 'updated' && aspects.length > 0 && aspects.every(isPosition);

const entityLines = (entity: EntityChange, prices: readonly PriceDifference[], indent: string): string[] => {
  const { op, kind, name, renamedFrom } = entity;
  const head = `${indent}${op} ${kind} ${renamedFrom === undefined ? name : `${renamedFrom} → ${name}`}`;
  if (op !== 'updated') {
    const own = prices.map((price) => withLabel(priceOf(price), amount(price.after)));
    return [own.length === 0 ? head : `${head}: ${own.join(', ')}`];
  }
  const aspects = entity.aspects.filter((aspect) => !isPosition(aspect));
  return [
    aspects.length === 0 ? head : `${head}: ${aspects.join(', ')}`,
    ...prices.map((price) => {
      const change = `${amount(price.before)} → ${amount(price.after)}`;
      return `${indent}  ${withLabel(priceOf(price), change)}`;
    }),
  ];
};

const counted = (entities: readonly EntityChange[]): string =>
  [...groupBy(entities, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`).join(', ');

const pictureLine = ({ stored, removed }: ImportReport['pictures']): string | null =>
  stored.length + removed.length === 0
    ? null
    : `  pictures: ${stored.length} stored, ${removed.length} deleted`;

/** All changes: entities without category first, then by category; positions in one line. */
const changeLines = ({ entities, details, pictures }: ImportReport): string[] => {
  const moved = entities.filter(isMoved);
  const byCategory = groupBy(
    entities.filter((entity) => !isMoved(entity)),
    ({ id }) => details.get(id)?.category ?? null,
  );
  const linesOf = (all: readonly EntityChange[], indent: string): string[] =>
    all.flatMap((entity) => entityLines(entity, details.get(entity.id)?.prices ?? [], indent));
  return [
    ...linesOf(byCategory.get(null) ?? [], '  '),
    ...[...byCategory].flatMap(([category, all]) =>
      category === null ? [] : [`  ${category}`, ...linesOf(all, '    ')],
    ),
    ...(moved.length === 0 ? [] : [`  only their places in the lists change: ${counted(moved)}`]),
    ...(entities.length === 0 && pictureLine(pictures) === null ? ['  nothing changes'] : []),
  ];
};

const MAX_WARNINGS = 20;

/** Warnings do not stop the import. */
export const warningLines = ({ slug, warnings }: ImportReport): string[] => {
  const more = warnings.length - MAX_WARNINGS;
  return [
    ...warnings.slice(0, MAX_WARNINGS).map((text) => `warning: ${slug}: ${text}`),
    ...(more > 0 ? [`warning: ${slug}: and ${more} more of the kind`] : []),
  ];
};

/** On a dry run with every entity and price. */
export const describeReport = (report: ImportReport, dryRun: boolean): string => {
  const { slug, created, updated, archived, unchanged, ignoredStates, notes } = report;
  const counts = `${created} new, ${updated} changed, ${archived} archived, ${unchanged} as before`;
  return [
    `${slug}: ${counts}${dryRun ? ' (nothing was written)' : ''}`,
    ...(dryRun ? changeLines(report) : []),
    ...[pictureLine(report.pictures) ?? []].flat(),
    ...notes.map((note) => `  ${note}`),
    ...(ignoredStates === 0
      ? []
      : [`  ${ignoredStates} running states were left as they are; --state sets them`]),
  ].join('\n');
};
