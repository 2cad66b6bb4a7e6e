import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as quote from './quote.ts';

export const endpoints = endpointsOf(quote);
