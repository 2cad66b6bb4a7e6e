import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as pull from './pull.ts';

export const staffEndpoints = endpointsOf(pull);
