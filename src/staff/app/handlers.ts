import type { App } from '../../platform/app/app.ts';
import type { SessionStreams } from './access.ts';
import { changePassword, changePin, endOtherSessions, endOwnSession, listSessions } from './me.ts';
import { listOwnBranches } from './own-branches.ts';
import * as secondFactor from './second-factor-handlers.ts';
import * as session from './session-handlers.ts';

export const handlers = (app: App, streams: SessionStreams) => ({
  staffSignIn: session.staffSignIn(app),
  reauthenticate: session.reauthenticate(app),
  staffSignOut: session.staffSignOut(app, streams),
  changePassword: changePassword(app, streams),
  changePin: changePin(app, streams),
  listSessions: listSessions(app),
  endOwnSession: endOwnSession(app, streams),
  endOtherSessions: endOtherSessions(app, streams),
  listOwnBranches: listOwnBranches(app),
  makePairingCode: session.makePairingCode(app),
  pairDevice: session.pairDevice(app),
  listDevices: session.listDevices(app),
  revokeDevice: session.revokeDevice(app, streams),
  listPinStaff: session.listPinStaff(app),
  pinSignIn: session.pinSignIn(app),
  listSecondFactors: secondFactor.listSecondFactors(app),
  beginTotp: secondFactor.beginTotp(app),
  confirmTotp: secondFactor.confirmTotp(app),
  beginPasskey: secondFactor.beginPasskey(app),
  confirmPasskey: secondFactor.confirmPasskey(app),
  makeRecoveryCodes: secondFactor.makeRecoveryCodes(app),
  removeSecondFactor: secondFactor.removeSecondFactor(app),
});
