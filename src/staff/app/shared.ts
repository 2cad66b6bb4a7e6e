export { forgetKnownDevicesOf } from '../store/known-devices.ts';
export { endSessionsOf } from '../store/sessions.ts';
export { forgetSecrets } from '../store/staff.ts';
