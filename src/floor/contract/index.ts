import { endpointsOf } from '../../platform/contract/registry.ts';
import * as ticket from './ticket.ts';

export const endpoints = endpointsOf(ticket);
