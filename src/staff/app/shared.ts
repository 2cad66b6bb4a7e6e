export { deleteKnownDevicesOf } from '../store/known-devices.ts';
export { endSessionsOf } from '../store/sessions.ts';
export { clearSecrets, personEver } from '../store/staff.ts';
