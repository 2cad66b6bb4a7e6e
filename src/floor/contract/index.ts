import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as ticket from './ticket.ts';

export const endpoints = endpointsOf(ticket);
