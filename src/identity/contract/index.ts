import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as otp from './otp.ts';

export const endpoints = endpointsOf(otp);
