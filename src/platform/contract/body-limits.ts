/** Largest request bodies, bytes. Limits of the parsed JSON are in `src/doors/http/body/json-scan.ts`. */

/** Of an endpoint without a limit of its own. */
export const BODY_LIMIT = 128 * 1024;

/** Of a body with a cart: 100 combos, each with the longest notes on it and on three picks, fit. */
export const CART_BODY_LIMIT = 512 * 1024;

/** Of the events of a device (Decisions 13). */
export const EVENTS_BODY_LIMIT = 1_000_000;

/** Of a message to the tool server. */
export const TOOL_MESSAGE_LIMIT = 64 * 1024;

/** Of what a phone sends about its passes. */
export const PHONE_BODY_LIMIT = 16 * 1024;

/** Of delivery reports of the message provider. */
export const MESSAGE_REPORT_LIMIT = 256 * 1024;
