import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as pull from './pull.ts';
import * as replay from './replay.ts';
import * as reviews from './reviews.ts';

export const staffEndpoints = endpointsOf(pull, replay, reviews);
