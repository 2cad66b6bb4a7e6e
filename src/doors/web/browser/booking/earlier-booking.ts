/** The fragment with which the page of a booking is opened for a guest who has asked for another one since. */
export const EARLIER = '#earlier';
