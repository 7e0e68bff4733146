/** The words that somebody types to erase all of a project. */
export const ERASE_EVERYTHING = "erase everything";
