import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as branches from './branches.ts';
import * as devices from './devices.ts';
import * as me from './me.ts';
import * as secondFactor from './second-factor.ts';
import * as signIn from './sign-in.ts';

export const staffEndpoints = endpointsOf(branches, devices, me, secondFactor, signIn);
