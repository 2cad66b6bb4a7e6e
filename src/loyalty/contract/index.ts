import { endpointsOf } from '../../platform/contract/endpoints-of.ts';
import * as card from './card.ts';
import * as join from './join.ts';
import * as staffMembers from './staff-members.ts';
import * as voucher from './voucher.ts';
import * as wallet from './wallet.ts';

export const endpoints = endpointsOf(join, card, voucher, wallet);

export const staffEndpoints = endpointsOf(staffMembers);
