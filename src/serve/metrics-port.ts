import type { Config } from '../config.ts';
import { serveMetrics, type ScrapedMetrics, type MetricsServer } from '../doors/http/metrics.ts';
import { printStatus, StartError } from './faults.ts';
import { METRICS_KEYS, onPort } from './ports.ts';

/** Null when disabled, or when the default port is taken. */
export const listenForMetrics = async (
  metrics: ScrapedMetrics,
  config: Config,
): Promise<MetricsServer | null> => {
  const { metrics: address } = config;
  if (address === null) return null;
  try {
    return await onPort(METRICS_KEYS, address, () => serveMetrics(metrics, address));
  } catch (fault) {
    if (address.chosen || !(fault instanceof StartError)) throw fault;
    printStatus(`no metrics: ${fault.message}`);
    return null;
  }
};
