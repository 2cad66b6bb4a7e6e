import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as reports from './reports.ts';

export const staffEndpoints = endpointsOf(reports);
