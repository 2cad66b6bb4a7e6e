/** `HA_SIZE=small`: the tests that every change is tested with. */
export const IS_SMALL = process.env['HA_SIZE'] === 'small';
