import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as devices from './devices.ts';
import * as me from './me.ts';
import * as secondFactor from './second-factor.ts';
import * as signIn from './sign-in.ts';

export const staffEndpoints = endpointsOf(devices, me, secondFactor, signIn);
