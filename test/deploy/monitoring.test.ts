/** The alerts and the dashboard name metrics, labels and values that the server really prints. */
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { read } from '../support/documents/pages.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { freePort } from '../support/programs/free-port.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
}

const alerts = parse(read('deploy/prometheus-alerts.yaml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string }[] };
  readonly panels: readonly Panel[];
};
const targets = dashboard.panels.flatMap((panel) => panel.targets);

/** Values by label, by metric. */
type Printed = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
let printed: Printed;

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const printedIn = (text: string): Printed => {
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Map<string, Set<string>>();
    metrics.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(LABEL))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  return metrics;
};

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'about_ahwa', arguments: {} },
};

/** What a server of one process and one of two workers print. */
beforeAll(async () => {
  const texts: string[] = [];
  for (const workers of ['1', '2']) {
    const port = await freePort();
    const server = await bench.serve({ METRICS_PORT: String(port), WORKERS: workers });
    await server.get('/health');
    await httpRequest(server.port, '/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(CALL),
    });
    texts.push((await httpRequest(port, '/metrics')).text);
  }
  printed = printedIn(texts.join('\n'));
});

/** Labels that Prometheus adds to every series. */
const OF_THE_SCRAPE = ['job', 'instance'];
const FUNCTIONS = /^(sum|max|min|by|rate|increase|delta|topk|histogram_quantile)$/;
/** Values of other requests than those of this test. */
const OPEN_LABELS = ['status', 'operation', 'le', 'tool'];

interface Used {
  readonly metric: string;
  readonly matchers: readonly (readonly [label: string, values: readonly string[]])[];
}

const usedIn = (expr: string): readonly Used[] =>
  [...expr.replace(/\bby \([^)]*\)/g, '').matchAll(/([a-z]\w*)(?:\{([^}]*)\})?/g)]
    .filter(
      ([whole, name = '']) =>
        !FUNCTIONS.test(name) && !/^\d/.test(whole) && name.includes('_') !== (name === 'up'),
    )
    .map(([, metric = '', matchers = '']) => ({
      metric,
      matchers: [...matchers.matchAll(/(\w+)(?:=~|=)"([^"]*)"/g)].map(
        ([, label = '', values = '']) => [label, values.split('|')] as const,
      ),
    }));

const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));

const faultsOf = (expr: string): readonly string[] => {
  const used = usedIn(expr).filter(({ metric }) => metric !== 'up');
  const labels = new Set([
    ...OF_THE_SCRAPE,
    ...used.flatMap(({ metric }) => [...(printed.get(metric)?.keys() ?? [])]),
  ]);
  return [
    ...(used.length === 0 && !expr.startsWith('up{') ? [`${expr} names no metric`] : []),
    ...used.flatMap(({ metric, matchers }) => {
      const known = printed.get(metric);
      if (known === undefined) return [`${metric} is not printed`];
      return matchers
        .filter(([label]) => !OF_THE_SCRAPE.includes(label))
        .flatMap(([label, values]) =>
          known.has(label)
            ? values
                .filter((value) =>
                  metric === 'ahwa_orders_total' || !OPEN_LABELS.includes(label)
                    ? !known.get(label)?.has(value)
                    : false,
                )
                .map((value) => `${metric} has no ${label} ${value}`)
            : [`${metric} has no label ${label}`],
        );
    }),
    ...groupedBy(expr)
      .filter((label) => !labels.has(label))
      .map((label) => `${expr}: no label ${label}`),
  ];
};

/** Functions that Prometheus gives a range of time, `[5m]`, and nothing else. */
const OF_RANGES = ['rate', 'increase', 'delta'];

/** What Prometheus would refuse; it refuses a whole file for one expression. */
const syntaxFaultsOf = (expr: string): readonly string[] => {
  const faults: string[] = [];
  // Grafana puts the interval in.
  const sent = expr.replaceAll('$__rate_interval', '5m');
  parser.parse(sent).iterate({
    enter: ({ node, type, from }) => {
      if (type.isError) faults.push(`${expr}: an error at ${from}`);
      if (type.name !== 'FunctionCall') return;
      const name = sent.slice(from, sent.indexOf('(', from)).trim();
      const isOfRange = node.getChild('FunctionCallBody')?.getChild('MatrixSelector') != null;
      if (OF_RANGES.includes(name) !== isOfRange) faults.push(`${expr}: ${name} and a range of time`);
    },
  });
  return faults;
};

test('every alert has the shape of a Prometheus rule', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { name, rules: own } of alerts.groups) expect([name, own.length > 0]).toEqual([name, true]);
  for (const rule of rules) {
    expect(
      Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
    ).toEqual([]);
    expect(rule.alert).toMatch(/^Ahwa[A-Z]\w+$/);
    expect(rule.expr).toMatch(/ (>|==) [\d.]+$/);
    expect(rule.for ?? '1m').toMatch(/^\d+[smh]$/);
    expect(['info', 'warning', 'critical']).toContain(rule.labels['severity']);
    expect(rule.annotations['summary']).toMatch(/\S/);
  }
});

test('every expression of alerts and dashboard parses as PromQL, and a wrong one does not', () => {
  expect([...rules, ...targets].flatMap(({ expr }) => syntaxFaultsOf(expr))).toEqual([]);
  for (const wrong of [
    'histogram_quantile(0.95 sum by (le) (rate(x_bucket[5m]))) > 1',
    'sum increase(ahwa_codes_total[15m]) > 5',
    'increase(ahwa_codes_total[15 minutes]) > 5',
    'rate(ahwa_codes_total) > 5',
    'sum(rate(ahwa_codes_total[5m]) > 5',
  ])
    expect([wrong, syntaxFaultsOf(wrong)]).toEqual([wrong, expect.arrayContaining([expect.any(String)])]);
});

test('every alert names metrics, labels and values that the server prints', () => {
  expect(rules.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
});

test('labels in the summary of an alert are those of its expression', () => {
  for (const { alert, expr, annotations } of rules)
    for (const [, label = ''] of (annotations['summary'] ?? '').matchAll(/\$labels\.(\w+)/g)) {
      const kept = groupedBy(expr);
      const labels =
        kept.length > 0
          ? kept
          : usedIn(expr).flatMap(({ metric }) => [...OF_THE_SCRAPE, ...(printed.get(metric)?.keys() ?? [])]);
      expect([alert, labels]).toEqual([alert, expect.arrayContaining([label])]);
    }
});

test('the dashboard has panels with places, titles, a data source and queries', () => {
  const { panels } = dashboard;
  expect([dashboard.uid, dashboard.schemaVersion >= 36]).toEqual(['ahwa', true]);
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  for (const { title, gridPos, datasource, targets: own } of panels) {
    expect([title, gridPos.x + gridPos.w <= 24, datasource.uid, own.length > 0]).toEqual([
      title,
      true,
      '${datasource}',
      true,
    ]);
    expect(new Set(own.map(({ refId }) => refId)).size).toBe(own.length);
  }
});

test('every query of the dashboard names metrics, labels and values that the server prints', () => {
  expect(targets.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  for (const { expr, legendFormat } of targets)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect([expr, [...OF_THE_SCRAPE, ...groupedBy(expr)]]).toEqual([expr, expect.arrayContaining([label])]);
});

test('a misspelt metric, label or value is found', () => {
  expect(faultsOf('sum(rate(ahwa_order_total[5m])) > 1')).toEqual(['ahwa_order_total is not printed']);
  expect(faultsOf('ahwa_codes_total{result="failed"} > 1')).toEqual(['ahwa_codes_total has no label result']);
  expect(faultsOf('ahwa_codes_total{outcome="fails"} > 1')).toEqual([
    'ahwa_codes_total has no outcome fails',
  ]);
  expect(faultsOf('sum by (shop) (ahwa_orders_open) > 1')).toEqual([
    'sum by (shop) (ahwa_orders_open) > 1: no label shop',
  ]);
});

test('no metric has a label with the id of a shop or person, or a phone', () => {
  const labels = new Set([...printed.values()].flatMap((known) => [...known.keys()]));
  expect([...labels].filter((label) => /org|shop|phone|branch|client|user|staff|_id$/.test(label))).toEqual(
    [],
  );
});
