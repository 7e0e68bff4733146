/** The words that somebody types to erase all of a project. */
export const ERASE_PROJECT_CONFIRMATION = "erase everything";
