/** The text to type for the erasure of a project. */
export const ERASE_PROJECT_CONFIRMATION = "erase everything";
