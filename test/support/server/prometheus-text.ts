/** A strict reader of Prometheus' text format. */

const COMMENT = /^# (HELP|TYPE) ([a-z_]\w*) (.+)$/i;
const SAMPLE = /^([a-z_]\w*)(?:\{((?:\w+="(?:[^"\\\n]|\\.)*",?)+)\})? (\S+)$/i;
const NUMBER = /^(-?\d+(\.\d+)?(e[+-]?\d+)?|[+-]Inf|NaN)$/;

const isOf = (sample: string, metric: string, type: string): boolean =>
  sample === metric ||
  (type === 'histogram' &&
    [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`].some((name) => name === sample));

export interface PrometheusText {
  readonly types: ReadonlyMap<string, string>;
  /** Values by name and labels, as printed. */
  readonly samples: ReadonlyMap<string, number>;
}

/** Throws at a line that Prometheus would refuse. */
export const parsePrometheus = (text: string): PrometheusText => {
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let current: { name: string; type: string } | null = null;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const wrong = new Error(`Prometheus refuses the line: ${line}`);
    const [, keyword, metric = '', type = ''] = COMMENT.exec(line) ?? [];
    if (keyword === 'HELP') continue;
    if (keyword === 'TYPE') {
      if (types.has(metric) || !/^(counter|gauge|histogram)$/.test(type)) throw wrong;
      types.set(metric, type);
      current = { name: metric, type };
      continue;
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const series = labels === '' ? name : `${name}{${labels}}`;
    if (current === null || !isOf(name, current.name, current.type)) throw wrong;
    if (!NUMBER.test(value) || samples.has(series)) throw wrong;
    samples.set(series, Number(value.replace('Inf', 'Infinity')));
  }
  return { types, samples };
};
