import { endpointsOf } from '../../platform/contract/registry.ts';
import * as otp from './otp.ts';

export const endpoints = endpointsOf(otp);
