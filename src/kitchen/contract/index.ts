import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as kitchen from './kitchen.ts';

export const staffEndpoints = endpointsOf(kitchen);
