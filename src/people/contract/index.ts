import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as customers from './customers.ts';
import * as identity from './identity.ts';
import * as people from './people.ts';

export const endpoints = endpointsOf(identity);

export const staffEndpoints = endpointsOf(people, customers);
