/** How long devices hold what was sold (Decisions 13): a sale while its till is open, and both for two days. */
export const MINUTES_IN_FEED = 48 * 60;
