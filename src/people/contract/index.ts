import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as people from './people.ts';

export const staffEndpoints = endpointsOf(people);
