import { endpointsOf } from '../../platform/contract/registry.ts';
import * as people from './people.ts';

export const staffEndpoints = endpointsOf(people);
