/** Replaces erased text in titles, annotations and the remains of reports. */
export const ERASED = "[erased]";
