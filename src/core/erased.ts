/** What stands where something was erased: in a title, in a text, in what remains of a report. */
export const ERASED = "[erased]";
