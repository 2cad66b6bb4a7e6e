import { endpointsOf } from '../../platform/contract/registry.ts';
import * as quote from './quote.ts';

export const endpoints = endpointsOf(quote);
