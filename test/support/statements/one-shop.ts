/**
 * Whether a statement names the shop at every table of shops. PostgreSQL's own parser reads it; only what can be seen in
 * the text counts: `org_id = $1` beside each reference, not a join with a row that has it.
 */
import { loadModule, parseSync } from 'libpg-query';

/** A node of the parsed statement; `SelectStmt` and the like are keys of the node around. */
type Tree = Readonly<Record<string, unknown>>;

export interface Judged {
  /** The references without the shop, as `table alias`, and what cannot be judged. */
  readonly faults: readonly string[];
  /** Numbers of the parameters that name the shop, from 1. */
  readonly shops: readonly number[];
  readonly isWrite: boolean;
}

interface Level {
  readonly tables: ReadonlySet<string>;
  readonly derived: ReadonlySet<string>;
  readonly faults: string[];
  readonly shops: Set<number>;
}

await loadModule();

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const at = (tree: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (isTree(found) ? found[key] : undefined), tree);
const textAt = (tree: unknown, ...path: readonly string[]): string => {
  const found = at(tree, ...path);
  return typeof found === 'string' ? found : '';
};
const listAt = (tree: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(tree, ...path);
  return Array.isArray(found) ? found : [];
};

/** The number of the parameter that an expression is, also cast; null: another expression. */
const parameterOf = (expression: unknown): number | null => {
  const cast = at(expression, 'TypeCast', 'arg');
  const number = at(cast ?? expression, 'ParamRef', 'number');
  return typeof number === 'number' ? number : null;
};

const columnOf = (expression: unknown): readonly unknown[] =>
  listAt(expression, 'ColumnRef', 'fields').map((field) => at(field, 'String', 'sval'));

const isStar = (expression: unknown): boolean =>
  listAt(expression, 'ColumnRef', 'fields').some((field) => at(field, 'A_Star') !== undefined);

/** Conditions of which each must hold. */
const conjuncts = (condition: unknown): readonly unknown[] =>
  at(condition, 'BoolExpr', 'boolop') === 'AND_EXPR'
    ? listAt(condition, 'BoolExpr', 'args').flatMap(conjuncts)
    : condition === undefined
      ? []
      : [condition];

/** The parameter that a condition equals the shop of `alias` to. */
const shopIn = (condition: unknown, alias: string): number | null => {
  const isEquality =
    at(condition, 'A_Expr', 'kind') === 'AEXPR_OP' &&
    listAt(condition, 'A_Expr', 'name').every((name) => at(name, 'String', 'sval') === '=');
  if (!isEquality) return null;
  const sides = [at(condition, 'A_Expr', 'lexpr'), at(condition, 'A_Expr', 'rexpr')];
  const isShop = sides.some((side) => {
    const column = columnOf(side);
    // PostgreSQL refuses the bare name where two of the level have it, unless they are joined by it (`judgeNode`).
    return column.at(-1) === 'org_id' && (column.length === 1 || column.at(-2) === alias);
  });
  return isShop ? (sides.map(parameterOf).find((number) => number !== null) ?? null) : null;
};

const judgeTable = (range: unknown, conditions: readonly unknown[], level: Level): void => {
  const table = textAt(range, 'relname');
  const alias = textAt(range, 'alias', 'aliasname') || table;
  if (level.derived.has(table) || !level.tables.has(table)) return;
  const shop = conditions.map((condition) => shopIn(condition, alias)).find((found) => found !== null);
  if (shop === undefined) level.faults.push(alias === table ? table : `${table} ${alias}`);
  else level.shops.add(shop);
};

/** An outer join's condition says nothing of the rows that it keeps without a partner. */
const judgeFrom = (item: unknown, conditions: readonly unknown[], level: Level): void => {
  if (at(item, 'RangeVar') !== undefined) judgeTable(at(item, 'RangeVar'), conditions, level);
  const join = at(item, 'JoinExpr');
  if (join === undefined) return;
  const [kind, own] = [at(join, 'jointype'), conjuncts(at(join, 'quals'))];
  const [left, right] = [
    kind === 'JOIN_INNER' || kind === 'JOIN_RIGHT',
    kind === 'JOIN_INNER' || kind === 'JOIN_LEFT',
  ];
  judgeFrom(at(join, 'larg'), left ? [...conditions, ...own] : conditions, level);
  judgeFrom(at(join, 'rarg'), right ? [...conditions, ...own] : conditions, level);
};

const judgeInserted = (value: unknown, table: string, level: Level): void => {
  const shop = parameterOf(value);
  if (shop === null) level.faults.push(`insert into ${table}`);
  else level.shops.add(shop);
};

/** `select` and each part of a `union`, or `values`. */
const judgeSource = (source: unknown, column: number, table: string, level: Level): void => {
  if (at(source, 'larg') !== undefined) {
    judgeSource(at(source, 'larg'), column, table, level);
    judgeSource(at(source, 'rarg'), column, table, level);
    return;
  }
  const rows = listAt(source, 'valuesLists');
  const selected = listAt(source, 'targetList').map((target) => at(target, 'ResTarget', 'val'));
  // Behind a `*` nobody can count.
  const isCounted = !selected.slice(0, column).some(isStar);
  if (rows.length === 0) judgeInserted(isCounted ? selected[column] : undefined, table, level);
  for (const row of rows) judgeInserted(listAt(row, 'List', 'items')[column], table, level);
};

const judgeInsert = (insert: Tree, level: Level): void => {
  const table = textAt(insert, 'relation', 'relname');
  if (!level.tables.has(table)) return;
  const column = listAt(insert, 'cols').findIndex((name) => at(name, 'ResTarget', 'name') === 'org_id');
  judgeSource(at(insert, 'selectStmt', 'SelectStmt'), column, table, level);
};

const judgeRows = (from: readonly unknown[], where: unknown, level: Level): void => {
  for (const item of from) judgeFrom(item, conjuncts(where), level);
};

/** What takes a statement out of one shop whatever its conditions are: it is refused. */
const REFUSED: Readonly<Record<string, (node: Tree) => boolean>> = {
  JoinExpr: (node) =>
    node['isNatural'] === true ||
    listAt(node, 'usingClause').some((name) => at(name, 'String', 'sval') === 'org_id'),
  UpdateStmt: (node) => setsShop(node),
  onConflictClause: (node) => setsShop(node),
  RangeTableSample: () => true,
  TruncateStmt: () => true,
  LockStmt: () => true,
  MergeStmt: () => true,
};

const setsShop = (node: Tree): boolean =>
  listAt(node, 'targetList').some((target) => at(target, 'ResTarget', 'name') === 'org_id');

const judgeNode = (kind: string, node: Tree, level: Level): void => {
  if (REFUSED[kind]?.(node) === true) level.faults.push(kind);
  if (kind === 'SelectStmt') judgeRows(listAt(node, 'fromClause'), node['whereClause'], level);
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') {
    const target = { RangeVar: node['relation'] };
    judgeRows(
      [target, ...listAt(node, 'fromClause'), ...listAt(node, 'usingClause')],
      node['whereClause'],
      level,
    );
  }
  if (kind === 'InsertStmt') judgeInsert(node, level);
  if (kind === 'CommonTableExpr' && level.tables.has(textAt(node, 'ctename')))
    level.faults.push(`with ${textAt(node, 'ctename')}: the name of a table`);
};

const walk = (tree: unknown, visit: (kind: string, node: Tree) => void): void => {
  if (!isTree(tree)) return;
  for (const [kind, child] of Object.entries(tree)) {
    // The two sides of a union stand without the name of their kind; those of a join have it.
    if (isTree(child) && !Array.isArray(child))
      visit(/^[lr]arg$/.test(kind) && 'op' in child ? 'SelectStmt' : kind, child);
    walk(child, visit);
  }
};

/** `tables`: those with a column `org_id`. Throws where PostgreSQL's parser does. */
export const judge = (text: string, tables: ReadonlySet<string>): Judged => {
  const { stmts } = parseSync(text) as { stmts: readonly unknown[] };
  const derived = new Set<string>();
  let isWrite = false;
  walk(stmts, (kind, node) => {
    isWrite ||= /^(?:Insert|Update|Delete|Merge)Stmt$/.test(kind);
    if (kind === 'CommonTableExpr') derived.add(textAt(node, 'ctename'));
  });
  const level: Level = { tables, derived, faults: [], shops: new Set() };
  walk(stmts, (kind, node) => judgeNode(kind, node, level));
  return { faults: level.faults, shops: [...level.shops], isWrite };
};

/** Whether all parameters that name a shop name the same one. `parameters` are the values, the first one first. */
export const namesOneShop = ({ shops }: Judged, parameters: readonly unknown[]): boolean =>
  new Set(shops.map((number) => parameters[number - 1])).size <= 1;
